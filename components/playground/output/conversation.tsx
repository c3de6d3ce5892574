import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { picturesOf, textOfMessage } from "@/lib/schema-form/messages";
import { AnswerText } from "./answer-text";

const names: Record<string, string> = {
  system: "System",
  user: "You",
  assistant: "Model",
  tool: "Tool result",
};

/** The turns before an answer, oldest first. Renders nothing if there was no earlier answer. */
export function Conversation({ messages }: { messages: unknown }) {
  const turns = Array.isArray(messages) ? messages.filter(isObject) : [];
  if (!turns.some(({ role }) => role === "assistant")) return null;
  return (
    <ol aria-label="Conversation so far" className="flex min-w-0 flex-col gap-3">
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns may be equal, and those of a run never change
        <li key={index} className="flex min-w-0 flex-col">
          <Turn turn={turn} />
        </li>
      ))}
    </ol>
  );
}

function Turn({ turn }: { turn: JsonObject }) {
  const role = String(turn.role);
  const text = textOfMessage(turn);
  const pictures = picturesOf(turn).length;
  const calls = Array.isArray(turn.tool_calls) ? turn.tool_calls.filter(isObject) : [];
  if (role === "system")
    return (
      <details className="text-table text-muted">
        <summary className="cursor-pointer font-medium">{names.system}</summary>
        <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{text}</p>
      </details>
    );
  const mine = role === "user";
  return (
    <div className={mine ? "max-w-[85%] self-end" : "max-w-full min-w-0"}>
      <p className={`text-meta text-muted ${mine ? "text-right" : ""}`}>{names[role] ?? role}</p>
      <div className={mine || role === "tool" ? "rounded-panel bg-sunken px-3 py-2" : undefined}>
        {role === "assistant" ? (
          text && <AnswerText text={text} />
        ) : (
          <p className={`whitespace-pre-wrap wrap-anywhere ${role === "tool" ? "font-mono text-table" : ""}`}>
            {text}
          </p>
        )}
        {pictures > 0 && (
          <p className="mt-1 text-meta text-muted">
            {pictures === 1 ? "With a picture" : `With ${pictures} pictures`}
          </p>
        )}
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls of a past turn never change
          <ToolCall key={index} call={call} />
        ))}
      </div>
    </div>
  );
}

function ToolCall({ call }: { call: JsonObject }) {
  const called = isObject(call.function) ? call.function : {};
  return (
    <p className="mt-1 font-mono text-table wrap-anywhere">
      {String(called.name)}({String(called.arguments)})
    </p>
  );
}
