"use client";

import { useState } from "react";
import type { PresetSummary } from "#contract/presets.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import type { JsonObject } from "@/lib/schema-form/json";

interface SaveFormProps {
  presets: readonly PresetSummary[];
  input: JsonObject | null;
  busy: boolean;
  onSave: (name: string) => void;
  onReplace: (preset: PresetSummary) => void;
}

/** Saves the form's input; an existing name is replaced. */
export function SaveForm({ presets, input, busy, onSave, onReplace }: SaveFormProps) {
  const [name, setName] = useState("");
  const wanted = name.trim().toLowerCase();
  const taken = presets.find((preset) => preset.name.toLowerCase() === wanted);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (taken) onReplace(taken);
        else onSave(name.trim());
        setName("");
      }}
    >
      <Field
        label="Save this input as"
        error={input === null && "Fix the JSON first."}
        hint={
          taken
            ? "A preset with this name exists. Its input will be replaced."
            : "Uploaded files in it work until they expire. A person-rights confirmation is not saved."
        }
      >
        {(aria) => (
          <span className="flex gap-2">
            <Input
              {...aria}
              value={name}
              onChange={(event) => setName(event.target.value)}
              required
              pattern=".*\S.*"
              maxLength={100}
              autoComplete="off"
              placeholder="Name"
            />
            <Permitted to="presets:write">
              <Button type="submit" variant="primary" busy={busy} disabled={input === null}>
                {taken ? "Replace" : "Save"}
              </Button>
            </Permitted>
          </span>
        )}
      </Field>
    </form>
  );
}
