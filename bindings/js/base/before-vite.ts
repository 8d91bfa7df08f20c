/** Vite 7's development server moves modules into a folder of its own, and not the files beside them: where these are. */
export const beforeVite = ({ href }: URL): URL => new URL(href.replace(/\/\.vite\/deps\/(?=[^/]*$)/, "/posenc/dist/"));
