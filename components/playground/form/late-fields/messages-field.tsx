"use client";

import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Input, Select, Textarea } from "@/components/ui/form/input";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import {
  callIds,
  moved,
  newToolCall,
  nextMessage,
  picturesOf,
  roles,
  textOfMessage,
  withContent,
  withRole,
} from "@/lib/schema-form/messages";
import { fieldId } from "@/lib/schema-form/pointers";
import { FieldFrame, fieldComponent } from "../field-frame.tsx";
import { useFormDisabled, useProblem } from "../form-context.tsx";
import { MediaList } from "../media/media-list.tsx";

/** The messages, oldest first. */
export const MessagesField = fieldComponent<"messages", JsonObject[]>((view) => {
  const t = useWords("inputForm");
  const { field, value: messages = [], onChange, pointer, ...rest } = view;
  const change = (next: JsonObject[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <FieldFrame field={field} {...rest} group>
      {() => (
        <>
          {messages.map((message, index) => (
            <MessageEditor
              // biome-ignore lint/suspicious/noArrayIndexKey: messages may be equal and have no identity
              key={index}
              messages={messages}
              index={index}
              message={message}
              toolCalls={field.toolCalls}
              pictures={field.pictures}
              pointer={`${pointer}/${index}`}
              onChange={(next) => change(messages.map((each, at) => (at === index ? next : each)))}
              onMove={(step) => change(moved(messages, index, step))}
              onRemove={() => change(messages.filter((_, at) => at !== index))}
            />
          ))}
          <Button
            size="sm"
            className="self-start"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => change([...messages, nextMessage(messages)])}
          >
            {t("addMessage")}
          </Button>
        </>
      )}
    </FieldFrame>
  );
});

interface MessageEditorProps {
  messages: readonly JsonObject[];
  index: number;
  message: JsonObject;
  toolCalls: boolean;
  /** Whether the model reads pictures. */
  pictures: boolean;
  pointer: string;
  onChange: (message: JsonObject) => void;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
}

function MessageEditor(props: MessageEditorProps) {
  const t = useWords("inputForm");
  const { messages, index, message, toolCalls, pictures, pointer, onChange, onMove, onRemove } = props;
  const disabled = useFormDisabled();
  const problem = useProblem(pointer);
  const contentPointer = `${pointer}/content`;
  const contentProblem = useProblem(contentPointer) ?? problem;
  const name = t("messageNumber", { number: index + 1 });
  const role = typeof message.role === "string" ? message.role : "";
  const content = textOfMessage(message);
  const shown = picturesOf(message);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return (
    <fieldset id={fieldId(pointer)} tabIndex={-1} className="min-w-0 rounded-control border p-2.5">
      <legend className="sr-only">{t("messageNumberHeading", { number: index + 1 })}</legend>
      <div className="mb-1.5 flex items-center gap-0.5">
        <Select
          id={fieldId(`${pointer}/role`)}
          aria-label={t("roleOfName", { name })}
          value={role}
          disabled={disabled}
          onChange={(event) => onChange(withRole(message, event.target.value))}
          className="mr-auto w-36!"
        >
          {!roles.some((each) => each === role) && <option value={role}>{role || t("choose")}</option>}
          {roles.map((each) => (
            <option key={each} value={each}>
              {t("roleNamed", { role: each })}
            </option>
          ))}
        </Select>
        {index > 0 && (
          <IconButton
            size="sm"
            label={t("moveNameUp", { name })}
            icon={<ArrowUp size={14} aria-hidden />}
            onClick={() => onMove(-1)}
          />
        )}
        {index < messages.length - 1 && (
          <IconButton
            size="sm"
            label={t("moveNameDown", { name })}
            icon={<ArrowDown size={14} aria-hidden />}
            onClick={() => onMove(1)}
          />
        )}
        <IconButton
          size="sm"
          label={t("removeName", { name })}
          icon={<X size={14} aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <Textarea
        id={fieldId(contentPointer)}
        aria-label={t("contentOfName", { name })}
        aria-invalid={contentProblem ? true : undefined}
        aria-describedby={contentProblem ? `${fieldId(contentPointer)}-problem` : undefined}
        placeholder={t("contentHint", { role })}
        rows={Math.min(
          12,
          Math.max(2, content.split("\n").length, Math.ceil(Math.min(content.length, 900) / 75)),
        )}
        value={content}
        disabled={disabled}
        onChange={({ target }) => {
          const text = emptied(target.value, calls.length > 0);
          onChange(text === null ? { ...message, content: null } : withContent(message, text, shown));
        }}
        className="resize-y"
      />
      {contentProblem && (
        <p id={`${fieldId(contentPointer)}-problem`} className="mt-1 text-meta font-medium text-bad">
          {contentProblem}
        </p>
      )}
      {role === "user" && pictures && (
        <div className="mt-2 flex flex-col gap-2">
          <MediaList
            field={{ title: t("pictureOfName", { name }), media: "image", maxBytes: null, max: null }}
            value={shown}
            pointer={contentPointer}
            invalid={Boolean(contentProblem)}
            disabled={disabled}
            onChange={(next) => onChange(withContent(message, content, next))}
          />
        </div>
      )}
      {role === "tool" && (
        <ToolAnswer
          message={message}
          earlier={messages.slice(0, index)}
          pointer={pointer}
          name={name}
          onChange={onChange}
        />
      )}
      {role === "assistant" && toolCalls && (
        <ToolCalls {...{ messages, message, calls, pointer, name, onChange }} />
      )}
    </fieldset>
  );
}

/** An assistant message that only calls tools has no text: the contract requires null. */
function emptied(text: string, callsTools: boolean): string | null {
  return text === "" && callsTools ? null : text;
}

interface ToolAnswerProps {
  message: JsonObject;
  /** The previous messages, whose tool calls this message can answer. */
  earlier: readonly JsonObject[];
  pointer: string;
  name: string;
  onChange: (message: JsonObject) => void;
}

/** The choice of the tool call that a tool message answers. */
function ToolAnswer({ message, earlier, pointer, name, onChange }: ToolAnswerProps) {
  const t = useWords("inputForm");
  const path = `${pointer}/tool_call_id`;
  const problem = useProblem(path);
  const ids = callIds(earlier);
  const list = `${fieldId(path)}-list`;
  return (
    <div className="mt-2 max-w-72">
      <FieldFrame
        field={{ title: t("toolCallIdOfName", { name }), hint: null, required: true }}
        id={fieldId(path)}
        problem={problem}
      >
        {(aria) => (
          <>
            <Input
              {...aria}
              list={list}
              autoComplete="off"
              value={typeof message.tool_call_id === "string" ? message.tool_call_id : ""}
              onChange={(event) => onChange({ ...message, tool_call_id: event.target.value })}
            />
            <datalist id={list}>
              {ids.map((id) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </FieldFrame>
    </div>
  );
}

interface ToolCallsProps extends Pick<MessageEditorProps, "messages" | "message" | "pointer" | "onChange"> {
  calls: JsonObject[];
  name: string;
}

/** The functions that an assistant's message calls. */
function ToolCalls({ messages, message, calls, pointer, name, onChange }: ToolCallsProps) {
  const t = useWords("inputForm");
  const setCalls = (next: JsonObject[]) => {
    const { tool_calls: _old, ...rest } = message;
    onChange(next.length > 0 ? { ...rest, tool_calls: next } : rest);
  };
  return (
    <div className="mt-2 flex flex-col gap-2">
      {calls.map((call, at) => (
        <ToolCallEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: an id is being typed
          key={at}
          call={call}
          name={t("toolCallNumber", { number: at + 1, name })}
          pointer={`${pointer}/tool_calls/${at}`}
          onChange={(next) => setCalls(calls.map((each, other) => (other === at ? next : each)))}
          onRemove={() => setCalls(calls.filter((_, other) => other !== at))}
        />
      ))}
      <Button
        size="sm"
        variant="ghost"
        className="self-start"
        icon={<Plus size={14} aria-hidden />}
        aria-label={t("addToolCallToName", { name })}
        onClick={() => setCalls([...calls, newToolCall(messages)])}
      >
        {t("addToolCall")}
      </Button>
    </div>
  );
}

interface ToolCallEditorProps {
  call: JsonObject;
  name: string;
  pointer: string;
  onChange: (call: JsonObject) => void;
  onRemove: () => void;
}

const asText = (value: unknown) => (typeof value === "string" ? value : "");

/** A function call of the model: its id, name and arguments. */
function ToolCallEditor({ call, name, pointer, onChange, onRemove }: ToolCallEditorProps) {
  const t = useWords("inputForm");
  const called = isObject(call.function) ? call.function : {};
  const parts = {
    id: `${pointer}/id`,
    name: `${pointer}/function/name`,
    arguments: `${pointer}/function/arguments`,
  };
  const problems = {
    id: useProblem(parts.id),
    name: useProblem(parts.name),
    arguments: useProblem(parts.arguments),
  };
  const field = (title: string) => ({ title, hint: null, required: true });
  return (
    <fieldset className="min-w-0 rounded-control bg-sunken p-2.5">
      <legend className="sr-only">{name}</legend>
      <div className="grid grid-cols-1 items-start gap-2 sm:grid-cols-[1fr_1fr_auto]">
        <FieldFrame field={field(t("functionName"))} id={fieldId(parts.name)} problem={problems.name}>
          {(aria) => (
            <Input
              {...aria}
              value={asText(called.name)}
              autoComplete="off"
              onChange={(event) => onChange({ ...call, function: { ...called, name: event.target.value } })}
            />
          )}
        </FieldFrame>
        <FieldFrame field={field(t("toolCallId"))} id={fieldId(parts.id)} problem={problems.id}>
          {(aria) => (
            <Input
              {...aria}
              value={asText(call.id)}
              autoComplete="off"
              onChange={(event) => onChange({ ...call, id: event.target.value })}
            />
          )}
        </FieldFrame>
        <IconButton
          label={t("removeName", { name })}
          icon={<X size={16} aria-hidden />}
          onClick={onRemove}
          className="sm:mt-6"
        />
      </div>
      <div className="mt-2">
        <FieldFrame
          field={field(t("argumentsJson"))}
          id={fieldId(parts.arguments)}
          problem={problems.arguments}
        >
          {(aria) => (
            <Textarea
              {...aria}
              rows={2}
              spellCheck={false}
              value={asText(called.arguments)}
              onChange={(event) =>
                onChange({ ...call, function: { ...called, arguments: event.target.value } })
              }
              className="font-mono text-table"
            />
          )}
        </FieldFrame>
      </div>
    </fieldset>
  );
}
