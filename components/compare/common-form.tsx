"use client";

import { X } from "lucide-react";
import dynamic from "next/dynamic";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import type { CommonInput } from "@/lib/compare/common-input";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FieldControl, PlannedField } from "@/lib/schema-form/plan";
import type { Words } from "@/messages/words";

/** Loaded late, because the form controls are most of the page's code. */
const PlannedFields = dynamic(
  () => import("@/components/playground/form/planned-fields").then((module) => module.PlannedFields),
  {
    ssr: false,
    // As high as the two fields.
    loading: () => <Skeleton className="h-[206px] pointer-coarse:h-[250px]" />,
  },
);

interface CommonFormProps {
  input: CommonInput;
  baseUrl: string;
  /** Takes a function of the current input, because an upload may finish before typed text is rendered. */
  onChange: (change: (now: CommonInput) => CommonInput) => void;
  onUploading: (change: 1 | -1) => void;
}

/** The input that is sent to all models. */
export function CommonForm({ input, baseUrl, onChange, onUploading }: CommonFormProps) {
  const t = useWords("compare");
  const { options = {}, earlier = [] } = input;
  const carried = carriedOptions(input);
  const shared = { baseUrl, onUploading };
  const change = (name: string, value: unknown) => onChange((now) => withValue(now, name, value));
  const changeOption = (name: string, value: unknown) =>
    onChange((now) => withValue(now, "options", withValue(now.options ?? {}, name, value)));
  const hasMore = fileNames.some((name) => input[name]) || optionNames.some((name) => name in options);
  return (
    <Section title={t("input")} className="mb-0! desktop:sticky desktop:top-[68px]">
      <div className="flex min-w-0 flex-col gap-4 rounded-panel border bg-panel p-4">
        <PlannedFields
          {...shared}
          place={["common"]}
          fields={mainFields(t)}
          value={input as JsonObject}
          onChange={change}
        />
        <details open={hasMore || undefined} className="min-w-0 border-t pt-3">
          <summary className="min-h-6 cursor-pointer text-table font-medium text-muted hover:text-ink">
            {t("videoAudioAndOptions")}
          </summary>
          <div className="mt-3 flex min-w-0 flex-col gap-4">
            <PlannedFields
              {...shared}
              place={["common"]}
              fields={fileFields(t)}
              value={input as JsonObject}
              onChange={change}
            />
            <PlannedFields
              {...shared}
              place={["common", "options"]}
              fields={optionFields(t)}
              value={options}
              onChange={changeOption}
            />
          </div>
        </details>
        {(earlier.length > 0 || carried.length > 0) && (
          <ul aria-label={t("alsoPartOfTheInput")} className="border-t pt-3 text-table">
            {earlier.length > 0 && (
              <Carried
                name={t("earlierMessages")}
                text={t("countEarlierMessages", { count: earlier.length })}
                onRemove={() => change("earlier", undefined)}
              />
            )}
            {carried.map((name) => (
              <Carried
                key={name}
                name={name}
                text={`${name}: ${shortened(options[name])}`}
                onRemove={() => changeOption(name, undefined)}
              />
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

interface CarriedProps {
  name: string;
  text: string;
  onRemove: () => void;
}

/** A part of an earlier run's input for which this form has no field, with a button to remove it. */
function Carried({ name, text, onRemove }: CarriedProps) {
  const t = useWords("compare");
  return (
    <li className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      <IconButton
        size="sm"
        label={t("removeName", { name })}
        icon={<X size={14} aria-hidden />}
        onClick={onRemove}
      />
    </li>
  );
}

/** Sets one part of the input. Undefined and empty values remove the part. */
function withValue<Value extends object>(value: Value, name: string, part: unknown): Value {
  const { [name as keyof Value]: _old, ...rest } = value;
  const isEmpty =
    part === undefined || (typeof part === "object" && part !== null && Object.keys(part).length === 0);
  return (isEmpty ? rest : { ...value, [name]: part }) as Value;
}

const longest = 120;

function shortened(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** No operation accepts this many pictures. */
const maxImages = 10;

function field(name: string, title: string, hint: string | null, control: FieldControl): PlannedField {
  return { name, title, hint, required: false, schema: {}, inferred: false, advanced: false, ...control };
}

/** The fields that most people use. */
const mainFields = (t: Words<"compare">) => [
  field("text", t("promptOrText"), null, { kind: "prompt", minLength: 0, maxLength: null }),
  field("images", t("pictures"), null, {
    kind: "media-list",
    media: "image",
    maxBytes: null,
    min: 0,
    max: maxImages,
    positions: null,
  }),
];

const fileNames = ["video", "audio"] as const;
const optionNames = ["negative_prompt", "n", "duration", "seed"] as const;

/** The fields for files other than pictures. */
const fileFields = (t: Words<"compare">) => [
  field("video", t("video"), null, { kind: "media", media: "video", maxBytes: null }),
  field("audio", t("audio"), null, { kind: "media", media: "audio", maxBytes: null }),
];

/** Options that several operations have under the same name. */
const optionFields = (t: Words<"compare">) => [
  field("negative_prompt", t("negativePrompt"), t("whatTheResultShould"), {
    kind: "prompt",
    minLength: 0,
    maxLength: null,
  }),
  field("n", t("numberOfResults"), null, {
    kind: "number",
    min: 1,
    max: null,
    integer: true,
    step: null,
  }),
  field("duration", t("seconds"), t("lengthOfAVideo"), {
    kind: "number",
    min: 1,
    max: null,
    integer: true,
    step: null,
  }),
  field("seed", t("seed"), t("forModelsWithASeed"), {
    kind: "number",
    min: 0,
    max: null,
    integer: true,
    step: null,
  }),
];

/** Names of options from an earlier run for which this form has no field. */
function carriedOptions({ options = {} }: CommonInput): string[] {
  return Object.keys(options).filter((name) => !optionNames.some((each) => each === name));
}
