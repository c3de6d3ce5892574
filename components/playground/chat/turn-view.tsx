"use client";

import { memo, useState } from "react";
import type { JsonObject } from "@/lib/schema-form/json";
import { picturesOf, textOfMessage } from "@/lib/schema-form/messages";
import { Answer } from "./answer";
import { EditMessage } from "./edit-message";
import { MessagePictures } from "./message-pictures";
import type { TurnProps } from "./turn";
import { TurnFoot } from "./turn-foot";

const lists = ["results", "forks"] as const;

/** Lists are made anew each time, mostly with the same in them. */
function isEqual(one: TurnProps, other: TurnProps): boolean {
  return (Object.keys(one) as (keyof TurnProps)[]).every((name) => {
    if (!lists.some((list) => list === name)) return one[name] === other[name];
    const [was, is] = [one[name] as readonly unknown[], other[name] as readonly unknown[]];
    return was.length === is.length && was.every((item, at) => item === is[at]);
  });
}

/** One message with what can be done with it. What is far from the screen is not laid out. */
export const TurnView = memo(function TurnView(props: TurnProps) {
  const { at, message, actions } = props;
  const [editing, setEditing] = useState(false);
  const isMine = message.role === "user";
  return (
    <li
      className={`group flex min-w-0 flex-col [contain-intrinsic-size:auto_120px] [content-visibility:auto] [overflow-clip-margin:24px] ${isMine && !editing ? "items-end" : ""}`}
    >
      {editing ? (
        <EditMessage
          message={message}
          onCancel={() => setEditing(false)}
          onDone={(changed) => {
            setEditing(false);
            actions.edit(at, changed);
          }}
        />
      ) : isMine ? (
        <Question message={message} />
      ) : message.role === "assistant" ? (
        <Answer {...props} />
      ) : (
        <Note message={message} />
      )}
      {!editing && <TurnFoot {...props} onEdit={() => setEditing(true)} />}
    </li>
  );
}, isEqual);

function Question({ message }: { message: JsonObject }) {
  const text = textOfMessage(message);
  return (
    <div className="flex max-w-[85%] min-w-0 flex-col gap-2 rounded-panel bg-sunken px-3 py-2">
      <p className="sr-only">You</p>
      <MessagePictures urls={picturesOf(message)} />
      {text && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
    </div>
  );
}

/** A message of another role, or the result of a call that nobody made. */
function Note({ message }: { message: JsonObject }) {
  return (
    <div className="min-w-0 rounded-panel border border-dashed px-3 py-2">
      <p className="text-meta text-muted">{message.role === "tool" ? "Tool result" : String(message.role)}</p>
      <p className="whitespace-pre-wrap wrap-anywhere">{textOfMessage(message)}</p>
    </div>
  );
}
