"use client";

import { type KeyboardEvent, useContext, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { mediaValueOf } from "@/lib/schema-form/media-value";
import { FormContext } from "../form-context";

/** An https address, an upload's reference or a data URI, typed or pasted. */
export function UrlEntry({ title, onText }: { title: string; onText: (text: string) => void }) {
  const { baseUrl } = useContext(FormContext);
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);
  const use = () => {
    const wanted = text.trim();
    if (mediaValueOf(wanted, baseUrl).source === "other") setRefused(true);
    else onText(wanted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    use();
  };
  return (
    <Field
      label={`URL for ${title.toLowerCase()}`}
      error={refused && "Enter a URL that starts with https:// or an upload:// reference."}
    >
      {(aria) => (
        <div className="flex gap-1.5">
          <Input
            {...aria}
            value={text}
            autoFocus
            inputMode="url"
            autoComplete="off"
            placeholder="https://…"
            onChange={(event) => {
              setText(event.target.value);
              setRefused(false);
            }}
            onKeyDown={onKeyDown}
          />
          <Button onClick={use}>Use</Button>
        </div>
      )}
    </Field>
  );
}
