/** What is known of models and engines: larger than the rest of the figure. */
export let engines: typeof import("posenc/engines");

export async function fetchEngines(): Promise<void> {
  engines = await import("posenc/engines");
}
