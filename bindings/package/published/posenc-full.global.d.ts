import type { LoadFull } from "./types/index.js";

declare global {
  /** What the classic script leaves: `<script src="posenc-full.global.js"></script>`. */
  var posenc: { readonly load: LoadFull };
}
