// llama.cpp behind an HTTP server of OpenAI's API, as npm ships both: node serve.mjs <model's name> <GGUF file> <port>
// Ends with the process that started it.
import path from "node:path";
import { createExpressServer, InferenceServer } from "inference-server";

const [name, location, port] = process.argv.slice(2);
const server = new InferenceServer({
  cachePath: path.dirname(location),
  models: {
    [name]: {
      task: "text-completion",
      engine: "node-llama-cpp",
      location,
      minInstances: 1,
      contextSize: 512,
      // On a busy machine, several threads would wait for each other far longer than such a small model
      // computes.
      device: { gpu: false, cpuThreads: 1 },
    },
  },
});
await server.start();
const listener = createExpressServer(server).listen(Number(port), "127.0.0.1", () =>
  console.log(`Listening on ${listener.address().port}`),
);
process.stdin.resume().on("end", () => process.exit());
