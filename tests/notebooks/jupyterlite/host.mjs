// In the page: JupyterLite's JavaScript kernel with its worker, and what a notebook's window does with it. Offers
// `execute(code, until)`, which sends a cell to the kernel and resolves to its outputs.
import { JavaScriptKernel } from "@jupyterlite/javascript-kernel";

const heard = new Set();
const sendMessage = (message) => {
  for (const listener of heard) listener(message);
};
const kernel = new JavaScriptKernel({ id: "kernel", name: "javascript", location: "", sendMessage });

const request = (code) => ({
  channel: "shell",
  header: {
    msg_id: crypto.randomUUID(),
    msg_type: "execute_request",
    session: "session",
    username: "",
    date: new Date().toISOString(),
    version: "5.3",
  },
  parent_header: {},
  metadata: {},
  content: { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false, stop_on_error: true },
  buffers: [],
});

/** The kernel's message as a notebook file would hold it; nothing for results that show nothing. */
function outputOf({ header: { msg_type }, content }) {
  if (msg_type === "stream") return [{ output_type: "stream", name: content.name, text: content.text }];
  if (msg_type === "error") return [{ output_type: "error", ...content }];
  const shows = msg_type === "execute_result" && Object.keys(content.data).length > 0;
  return shows ? [{ output_type: "execute_result", data: content.data }] : [];
}

/** `until` is a text that the cell prints after its end, when what it began is done. */
self.execute = async (code, until = "") => {
  const outputs = [];
  let listener;
  const said = new Promise((resolve) => {
    listener = (message) => {
      outputs.push(...outputOf(message));
      if (outputs.some(({ text, ename }) => ename || text?.includes(until))) resolve();
    };
    heard.add(listener);
  });
  await kernel.handleMessage(request(code));
  if (until) await said;
  heard.delete(listener);
  return outputs;
};
