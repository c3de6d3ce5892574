import {
  type CallToolResult,
  type ContentBlock,
  fromJsonSchema,
  type jsonSchemaValidator,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { type Static, Type } from "typebox";
import { ApiType } from "#contract/catalog.ts";
import { compileBody } from "#contract/checks/request-check.ts";
import { UploadCreate } from "#contract/upload.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import { keyOfOwnUrl } from "#gateway/files/storage/signed-urls.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { toApiError } from "#gateway/platform/http/errors.ts";
import { validationError } from "#gateway/platform/http/validation.ts";
import type { Caller } from "./caller.ts";
import {
  awaited,
  begin,
  cancelRun,
  describeModel,
  getRun,
  longestWait,
  maxModels,
  searchModels,
  type Waiting,
} from "./runs.ts";
import { installTasks, takesTasks, taskBegun } from "./tasks.ts";

const instructions = `Gatehouse runs models of several kinds: chat, speech, transcription, pictures, videos, embeddings.
Find one with search_models, read its input with describe_model, then run it. Videos and some pictures take longer: run returns an id for get_run.
Files come as addresses that work for a while; pass them on, do not read them. To use a file of the person, make an upload_link and put the bytes there.
Where a person must confirm something, tell them the link in the error: no tool can.`;

const closed = { additionalProperties: false };

const modelId = Type.String({ maxLength: 200, description: "namespace/name" });

const runId = Type.String({ maxLength: 64, description: "as run answered it" });

const wait = Type.Optional(
  Type.Integer({ minimum: 0, maximum: longestWait, description: "how long to wait for the end; usually 25" }),
);

const show = Type.Optional(Type.Boolean({ description: "also show its pictures here, which costs tokens" }));

const kind = Type.Optional(ApiType);

const inputs = {
  search_models: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 200, description: "words of its name or description" })),
      kind,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxModels })),
    },
    closed,
  ),
  describe_model: Type.Object({ model: modelId, kind }, closed),
  run: Type.Object(
    {
      model: modelId,
      operation: Type.Optional(Type.Enum(ApiType.enum, { description: "where the model has several" })),
      input: Type.Record(Type.String(), Type.Unknown(), {
        description: "as describe_model's input_schema says",
      }),
      wait_seconds: wait,
      show,
      idempotency_key: Type.Optional(
        Type.String({ pattern: "^[!-~]{1,255}$", description: "sent again, it runs nothing twice" }),
      ),
    },
    closed,
  ),
  get_run: Type.Object({ id: runId, wait_seconds: wait, show }, closed),
  cancel_run: Type.Object({ id: runId }, closed),
  upload_link: UploadCreate,
};

/** Checks arguments as the API checks bodies, so that the error names the argument. */
const validator: jsonSchemaValidator = {
  getValidator<T>(schema: object) {
    const check = compileBody(schema);
    return (input: unknown) =>
      check(input)
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: validationError(check.errors ?? []).message };
  },
};

/** Compiled once, because every request makes a new server. */
const compiled = Object.fromEntries(
  Object.entries(inputs).map(([name, schema]) => [name, fromJsonSchema(schema as object, validator)]),
) as Record<keyof typeof inputs, ReturnType<typeof fromJsonSchema>>;

/** At most this many pictures, each of at most this size, because pictures fill an agent's context. */
const maxPictures = 4;

const maxBytes = 3_000_000;

/** The tools for one caller and one request. */
export function toolsOf(caller: Caller): McpServer {
  const server = new McpServer({ name: "gatehouse", title: "Gatehouse", version: "1" }, { instructions });

  /** Registers a tool. Its errors are returned to the agent as text. */
  function tool<Name extends keyof typeof inputs>(
    name: Name,
    { title, description, ...hints }: ToolWords,
    work: (asked: Static<(typeof inputs)[Name]>, context: ServerContext) => Promise<CallToolResult>,
  ): void {
    const { "~standard": standard } = compiled[name];
    const validate: typeof standard.validate = async (asked) => {
      const checked = await standard.validate(asked);
      if (checked.issues?.[0]) caller.failed(invalidParameter(null, checked.issues[0].message), asked);
      return checked;
    };
    const inputSchema: StandardSchemaWithJSON = { "~standard": { ...standard, validate } };
    server.registerTool(
      name,
      { title, description, inputSchema, annotations: { openWorldHint: false, ...hints } },
      async (asked, context) => {
        try {
          return await work(asked as Static<(typeof inputs)[Name]>, context);
        } catch (error) {
          const known = toApiError(error, caller.context.database, caller.mayHaveBegun);
          const { code, message } = known;
          caller.failed(known, asked);
          if (code === "internal_error" && !caller.left.aborted)
            caller.context.log.error({ err: error, tool: name }, "a tool failed");
          return { isError: true, content: [{ type: "text", text: `${code}: ${message}` }] };
        }
      },
    );
  }

  tool(
    "search_models",
    { title: "Search models", description: "Find models that this key may run.", readOnlyHint: true },
    async (asked) => said(searchModels(caller, asked)),
  );
  tool(
    "describe_model",
    {
      title: "Describe a model",
      description: "The input and output of a model: the schema of its input, limits, an example.",
      readOnlyHint: true,
    },
    async ({ model, kind: one }) => said(describeModel(caller, model, one)),
  );
  tool(
    "run",
    {
      title: "Run a model",
      description:
        "Run a model and wait for its result. A longer run returns an id, for get_run. It costs what the model costs.",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    },
    async ({ show: shows, ...asked }, context) => {
      const waiting = waitingIn(context);
      const made = await begin(caller, asked, waiting);
      const task = takesTasks(context) ? taskBegun(caller, made) : null;
      if (task) return task;
      const done = await awaited(caller, made, asked.wait_seconds, waiting);
      return said(done, shows ? await picturesOf(caller.context, done.files) : []);
    },
  );
  tool(
    "get_run",
    { title: "Get a run", description: "Read a run; wait for its end.", readOnlyHint: true },
    async ({ id, wait_seconds: seconds, show: shows }, context) => {
      const done = await getRun(caller, id, seconds, waitingIn(context));
      return said(done, shows ? await picturesOf(caller.context, done.files) : []);
    },
  );
  tool(
    "cancel_run",
    { title: "Cancel a run", description: "Stop a run that has not ended.", destructiveHint: true },
    async ({ id }) => said(await cancelRun(caller, id)),
  );
  tool(
    "upload_link",
    {
      title: "Make an upload link",
      description:
        "A signed address to PUT the bytes of one file to, with the headers that come with it. Its reference is then an input of a model.",
      destructiveHint: false,
    },
    async (asked) => {
      const upload = await caller.ask("POST", "/uploads", { body: asked });
      const { id, reference, upload_url, upload_method, upload_headers, url_expires_at } = upload;
      return said({ id, reference, upload_url, upload_method, upload_headers, url_expires_at });
    },
  );
  installTasks(server, caller, said);
  return server;
}

/** The images among the files of a run, for an agent that requested them. */
async function picturesOf(
  context: EdgesContext,
  files: readonly { url: string; content_type: unknown }[] = [],
): Promise<ContentBlock[]> {
  const shown: ContentBlock[] = [];
  for (const { url, content_type: type } of files) {
    if (typeof type !== "string" || !type.startsWith("image/") || shown.length >= maxPictures) continue;
    const key = keyOfOwnUrl(context, url);
    const object = key === null ? null : await context.store.get(key);
    if (!object) continue;
    if (object.sizeBytes > maxBytes) {
      object.stream.destroy();
      shown.push({ type: "text", text: `The picture is too large to show here. Open ${url} instead.` });
      continue;
    }
    const chunks = await object.stream.toArray();
    shown.push({ type: "image", data: Buffer.concat(chunks).toString("base64"), mimeType: type });
  }
  return shown;
}

interface ToolWords {
  title: string;
  description: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** The same result as text and as structured content: agents read one or the other. */
function said(structured: Record<string, unknown>, more: ContentBlock[] = []): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(structured) }, ...more],
    structuredContent: structured,
  };
}

function waitingIn({ mcpReq }: ServerContext): Waiting {
  const token = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    async tell(seconds, status) {
      if (token === undefined) return;
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress: seconds, message: status },
      });
    },
  };
}
