"use client";

import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { JsonObject } from "@/lib/schema-form/json";
import { moved, nextMessage } from "@/lib/schema-form/messages";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { MessageEditor } from "../messages/message-editor";

/** The messages, oldest first. */
export const MessagesField = fieldComponent<"messages", JsonObject[]>((view) => {
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
            Add message
          </Button>
        </>
      )}
    </FieldFrame>
  );
});
