import { spawn, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { newFolder } from "#gateway/testing/folder.ts";
import { endProgram } from "#gateway/testing/program.ts";
import { writeTinyModel } from "./tiny-model.ts";

const packages = path.join(import.meta.dirname, "model-server");

export interface ModelServer {
  /** Ends in `/v1`. */
  url: string;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

/** Installs llama.cpp and a server of OpenAI's API from npm into the run's folder and starts it with a tiny model. */
export async function startModelServer(model: string): Promise<ModelServer> {
  const folder = newFolder("model-server");
  cpSync(packages, folder, { recursive: true });
  install(folder);
  const file = path.join(folder, `${model}.gguf`);
  writeTinyModel(file);
  const launch = async (port: number) => {
    const program = spawn(process.execPath, ["serve.mjs", model, file, String(port)], {
      cwd: folder,
      env: { ...process.env, HOME: folder, NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" },
      stdio: "pipe",
    });
    let said = "";
    const collect = (text: Buffer) => (said += text);
    program.stderr.on("data", collect);
    const listening = await new Promise<string>((resolve, reject) => {
      program.once("exit", () => reject(new Error(`The model server ended: ${said}`)));
      program.stdout.on("data", (text: Buffer) => {
        const [, found] = /^Listening on (\d+)$/m.exec(collect(text)) ?? [];
        if (found) resolve(found);
      });
    });
    return { program, port: Number(listening) };
  };
  let running = await launch(0);
  const { port } = running;
  return {
    url: `http://127.0.0.1:${port}/openai/v1`,
    kill: () => endProgram(running.program, "SIGKILL"),
    async start() {
      running = await launch(port);
    },
  };
}

/** Without install scripts, which would build or download files that the packages already contain. */
function install(folder: string): void {
  const words = ["ci", "--ignore-scripts", "--omit=optional", "--omit=peer", "--no-audit", "--no-fund"];
  const { status, error, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ${words.join(" ")} failed: ${stderr}`);
}
