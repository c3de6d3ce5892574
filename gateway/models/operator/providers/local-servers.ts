import { byName } from "#contract/by-name.ts";
import type { LocalServer } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import { type Connection, onlyKey } from "#gateway/models/providers/configuration.ts";
import { recordOf, recordsOf } from "#gateway/models/providers/http/read-body.ts";
import { modelsIn } from "#gateway/models/providers/protocol-facts.ts";
import { askProvider } from "./ask.ts";

const askMs = 1_000;
const modelsShown = 10;

/** The usual ports, and whose they are unless the answer says otherwise. */
const usualPorts: readonly (readonly [port: number, preset: string])[] = [
  [11434, "ollama"],
  [1234, "lm-studio"],
  [8080, "llama-cpp"],
  [8000, "vllm"],
  [30000, "sglang"],
];
/** What servers write into `owned_by`. */
const owners = byName<string>({
  library: "ollama",
  llamacpp: "llama-cpp",
  vllm: "vllm",
  sglang: "sglang",
  organization_owner: "lm-studio",
  localai: "localai",
});
const names = byName<string>({
  ollama: "Ollama",
  "lm-studio": "LM Studio",
  "llama-cpp": "llama.cpp server",
  vllm: "vLLM",
  sglang: "SGLang",
  localai: "LocalAI",
});

/** Model servers that answer on this machine. They are only asked for their models; nothing is connected. */
export async function findLocalServers(
  context: Pick<Context, "config" | "configuration" | "log">,
  ports = usualPorts,
): Promise<LocalServer[]> {
  const { config, configuration } = context;
  const others = ports.filter(([port]) => port !== config.port);
  const found = await Promise.all(others.map(([port, preset]) => serverAt(context, port, preset)));
  const { connections } = configuration.current.configuration;
  return found
    .filter((server) => server !== null)
    .map((server) => {
      const port = URL.parse(server.base_url)?.port;
      const known = connections.find(({ entry, isLeaving }) => {
        const url = entry.base_url === undefined ? null : URL.parse(entry.base_url);
        return !isLeaving && url?.port === port && /^(localhost|127\.|\[::1\])/.test(url?.hostname ?? "");
      });
      return { ...server, connected_as: known?.name ?? null };
    });
}

async function serverAt(
  { config, log }: Pick<Context, "config" | "log">,
  port: number,
  usual: string,
): Promise<LocalServer | null> {
  const region = config.homeRegion;
  const base = `http://localhost:${port}/v1`;
  const connection: Connection = {
    name: "local",
    entry: { protocol: "openai", base_url: base },
    keys: new Map([[region, onlyKey(null)]]),
    allowPrivate: true,
    isLeaving: false,
  };
  const url = new URL(`${base}/models`);
  const { body, trouble } = await askProvider({ connection, region, url, log, waitMs: askMs });
  const list = recordOf(body);
  // Another Gatehouse lists its catalog in the same shape.
  if (trouble !== null || !Array.isArray(list.data) || list.registry !== undefined) return null;
  const owner = String(recordsOf(list.data)[0]?.owned_by ?? "").toLowerCase();
  const preset = owners[owner] ?? usual;
  const models = modelsIn(list).map(({ id }) => id);
  return {
    object: "local_server",
    preset,
    name: names[preset] ?? preset,
    base_url: base,
    model_count: models.length,
    models: models.slice(0, modelsShown),
    connected_as: null,
  };
}
