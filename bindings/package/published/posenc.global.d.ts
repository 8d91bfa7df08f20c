import type { Load } from "./types/index.js";

declare global {
  /** What the classic script leaves: `<script src="posenc.global.js"></script>`. */
  var posenc: { readonly load: Load };
}
