import type { Item } from "#contract/responses.ts";
import { isRecord, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/**
 * What a model's function name means to the client: a function, one of a namespace, or a tool that takes
 * plain text.
 */
export interface ToolName {
  type: "function" | "custom";
  name: string;
  namespace?: string;
}

export interface ChatTools {
  /** The tools of the chat; undefined without any. */
  tools: object[] | undefined;
  choice: unknown;
  names: ReadonlyMap<string, ToolName>;
  /** The places of tools that are left out: the model works without them. */
  ignored: string[];
}

/** Web searches run at OpenAI. Agents always offer one, but a model works without it. */
const leftOut = /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/;
const join = "__";
/** The schema that a chat sees for a plain-text tool. */
const plainText = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

/** Converts the tools of a response for a chat. Throws `invalid_parameter` for one that cannot run here. */
export function chatTools(given: readonly Item[], choice: unknown): ChatTools {
  const tools: object[] = [];
  const names = new Map<string, ToolName>();
  const ignored: string[] = [];
  const add = (tool: Item, place: string, namespace?: string) => {
    const name = textOf(tool.name);
    if (!name) throw refusal(`${place}.name`, "must be the tool's name");
    const called = namespace === undefined ? name : chatName(name, namespace);
    if (names.has(called)) throw refusal(place, `has the name ${name} of another tool`);
    const isCustom = tool.type === "custom";
    names.set(called, { type: isCustom ? "custom" : "function", name, ...(namespace && { namespace }) });
    const { description, parameters, strict } = tool;
    tools.push({
      type: "function",
      function: {
        name: called,
        ...(typeof description === "string" && { description }),
        ...(isCustom ? { parameters: plainText } : isRecord(parameters) && { parameters }),
        ...(typeof strict === "boolean" && !isCustom && { strict }),
      },
    });
  };
  for (const [index, tool] of given.entries()) {
    const place = `tools[${index}]`;
    const { type } = tool;
    if (type === "function" || type === "custom") add(tool, place);
    else if (type === "namespace") {
      const namespace = textOf(tool.name);
      if (!namespace) throw refusal(`${place}.name`, "must be the namespace's name");
      for (const [at, inner] of recordsOf(tool.tools).entries()) {
        const inside = `${place}.tools[${at}]`;
        if (inner.type !== "function" && inner.type !== "custom") throw unknownTool(inside, inner.type);
        add(inner, inside, namespace);
      }
    } else if (typeof type === "string" && leftOut.test(type)) ignored.push(place);
    else throw unknownTool(place, type);
  }
  const chosen = chosenOf(choice, names);
  const { allowed } = chosen;
  const offered = allowed ? tools.filter((tool) => allowed.has(nameIn(tool))) : tools;
  return { tools: offered.length > 0 ? offered : undefined, choice: chosen.choice, names, ignored };
}

/** The name under which the model sees a namespace's tool. */
export function chatName(name: string, namespace: unknown): string {
  return typeof namespace === "string" ? `${namespace}${join}${name}` : name;
}

/** The chat's `tool_choice`, and the tools that it restricts the chat to. */
function chosenOf(
  choice: unknown,
  names: ReadonlyMap<string, ToolName>,
): { choice: unknown; allowed?: ReadonlySet<string> } {
  if (choice === undefined || choice === null) return { choice: undefined };
  if (typeof choice === "string") {
    if (!["auto", "none", "required"].includes(choice))
      throw refusal("tool_choice", "must be auto, none, required or a tool");
    return { choice: names.size > 0 ? choice : undefined };
  }
  const chosen = recordOf(choice);
  if (chosen.type === "allowed_tools")
    return {
      choice: chosen.mode === "required" ? "required" : "auto",
      allowed: new Set(recordsOf(chosen.tools).map((tool) => knownName(tool, names))),
    };
  return { choice: { type: "function", function: { name: knownName(chosen, names) } } };
}

function knownName({ type, name, namespace }: Item, names: ReadonlyMap<string, ToolName>): string {
  if (type !== "function" && type !== "custom") throw unknownTool("tool_choice", type);
  const called = chatName(textOf(name) ?? "", namespace);
  if (!names.has(called)) throw refusal("tool_choice", `names ${called}, which is not among the tools`);
  return called;
}

function nameIn(tool: object): string {
  return textOf(recordOf((tool as Item).function).name) ?? "";
}

function unknownTool(place: string, type: unknown): ApiError {
  const what = typeof type === "string" ? type.slice(0, 50) : "a tool without a type";
  return refusal(place, `is ${what}, which does not run here: use function, custom and namespace`);
}

function refusal(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", `${param} ${message}.`, { param });
}
