"use client";

import { type UseFormReturn, useForm } from "react-hook-form";
import { apiTypes } from "#contract/catalog-constants.ts";
import { countCharacters } from "#contract/characters.ts";
import { guardStages, guardTimeoutMs, heldCharacters } from "#contract/guard-constants.ts";
import type { GuardCreate } from "#contract/guards.ts";
import { endpointFields } from "#contract/webhook-constants.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { requiredIn } from "@/components/ui/form/field";
import { TextareaField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";
import { type GuardOwner, type GuardValues, newGuard } from "./guard-values.ts";

const exampleAddress = "https://guard.example.com/";

interface GuardFormProps {
  of: GuardOwner;
  /** Null for a guard that does not exist yet. */
  initial: GuardValues | null;
  /** The account's keys; null for an operator, who names keys of any account by their ids. */
  keys: readonly { id: string; name: string }[] | null;
  models: readonly string[];
  /** Resolves to the failure to show, or to null after saving. */
  save: (values: GuardValues) => Promise<GatewayFailure | null>;
  /** Leaves the form of a new guard. */
  onCancel?: () => void;
}

/** The settings of a guard. Changes are kept on the page until they are saved or discarded. */
export function GuardForm({ of, initial, keys, models, save, onCancel }: GuardFormProps) {
  const t = useWords("guards");
  const form = useForm<GuardValues>({ defaultValues: initial ?? newGuard });
  const { isDirty, isSubmitting } = form.formState;
  const names = Object.keys(newGuard) as (keyof GuardValues)[];
  const { failure, attempt, show } = useSend({ names, setError: form.setError });
  useUnloadWarning(isDirty);
  const submit = form.handleSubmit(async (values) => {
    if (!(await attempt(async () => atField(await save(values))))) form.reset(values);
  });
  const discard = () => {
    form.reset();
    show(null);
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      autoComplete="off"
      className="space-y-5 rounded-panel border bg-panel p-4"
    >
      <TextField
        form={form}
        name="url"
        rule={{ minLength: endpointFields.url.minLength }}
        label={t("address")}
        hint={of === "account" ? t("addressHint") : t("addressHintAll")}
        missing={t("enterAddress")}
        check={(url) => {
          const count = countCharacters(url.trim());
          return (
            count <= endpointFields.url.maxLength ||
            t("tooLong", { max: endpointFields.url.maxLength, count })
          );
        }}
        type="url"
        inputMode="url"
        mono
        placeholder={exampleAddress}
      />
      {of === "installation" && <Checkbox {...form.register("allow_private")} label={t("allowPrivate")} />}
      <Chosen form={form} name="stages" missing={t("chooseStage")}>
        {(field) => (
          <CheckList
            {...field}
            legend={t("stages")}
            options={guardStages.map((value) => ({
              value,
              label: value === "input" ? t("beforeRun") : t("afterRun"),
            }))}
          />
        )}
      </Chosen>
      {form.watch("stages").includes("output") && <StreamFields form={form} />}
      <Chosen form={form} name="on_error">
        {(field) => (
          <RadioGroup
            {...field}
            legend={t("onError")}
            options={[
              { value: "block", label: t("onErrorBlock"), hint: t("onErrorBlockHint") },
              { value: "allow", label: t("onErrorAllow"), hint: t("onErrorAllowHint") },
            ]}
          />
        )}
      </Chosen>
      <p className="text-meta text-muted">{t("timeLimit", { seconds: guardTimeoutMs / 1000 })}</p>
      <h2 className="border-t pt-4 text-base font-semibold">{t("which")}</h2>
      <Chosen form={form} name="operations">
        {(field) => (
          <CheckList
            {...field}
            legend={t("operations")}
            hint={t("noneIsAll")}
            options={apiTypes.map((value) => ({ value, label: <Code>{value}</Code> }))}
          />
        )}
      </Chosen>
      <Chosen form={form} name="models">
        {(field) => (
          <CheckList
            {...field}
            legend={t("models")}
            hint={t("noneIsAll")}
            options={withChosen(
              models.map((value) => ({ value, label: <Code>{value}</Code> })),
              field.value,
            )}
            scrolls
          />
        )}
      </Chosen>
      <KeyFields form={form} keys={keys} />
      <Checkbox
        {...form.register("gated_contents")}
        label={t("gatedContents")}
        hint={of === "account" ? t("gatedContentsHint") : t("gatedContentsHintAll")}
      />
      {failure && <ErrorPanel error={failure} />}
      {(onCancel || isDirty) && (
        <div className="sticky bottom-0 z-10 -mx-4 -mb-4 flex flex-wrap items-center gap-2 rounded-b-panel border-t bg-raised px-4 py-3 max-tablet:bottom-[52px]">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {onCancel ? t("create") : t("save")}
          </Button>
          <Button onClick={onCancel ?? discard} disabled={isSubmitting}>
            {onCancel ? t("cancel") : t("discard")}
          </Button>
          {isDirty && !onCancel && <span className="text-meta text-muted">{t("unsaved")}</span>}
        </div>
      )}
    </form>
  );
}

type Form = UseFormReturn<GuardValues>;

/** How the guard sees the output of a stream. */
function StreamFields({ form }: { form: Form }) {
  const t = useWords("guards");
  return (
    <>
      <Chosen form={form} name="streams">
        {(field) => (
          <RadioGroup
            {...field}
            legend={t("streams")}
            options={[
              { value: "after", label: t("streamsAfter"), hint: t("streamsAfterHint") },
              { value: "hold", label: t("streamsHold"), hint: t("streamsHoldHint") },
            ]}
          />
        )}
      </Chosen>
      {form.watch("streams") === "hold" && (
        <TextField
          form={form}
          name="hold_characters"
          label={t("holdCharacters")}
          check={(text) => {
            const { min, max } = heldCharacters;
            const isRight = /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
            return isRight || t("wholeNumber", { min, max });
          }}
          required={requiredIn<{ hold_characters: string }>("hold_characters")}
          className="max-w-60"
          inputMode="numeric"
        />
      )}
    </>
  );
}

/** The keys whose runs it is asked about. */
function KeyFields({ form, keys }: { form: Form } & Pick<GuardFormProps, "keys">) {
  const t = useWords("guards");
  const whose = form.watch("whose");
  const hint = whose === "except" ? t("exceptKeysHint") : undefined;
  return (
    <>
      <Chosen form={form} name="whose">
        {(field) => (
          <RadioGroup
            {...field}
            legend={t("whoseKeys")}
            options={[
              { value: "all", label: t("allKeys") },
              { value: "only", label: t("onlyKeys") },
              { value: "except", label: t("exceptKeys") },
            ]}
          />
        )}
      </Chosen>
      {whose !== "all" && (
        <Chosen form={form} name="keys" missing={t("chooseKeys")}>
          {({ value, onChange, error }) =>
            keys ? (
              <CheckList
                legend={whose === "only" ? t("onlyKeys") : t("exceptKeys")}
                hint={hint}
                options={withChosen(
                  keys.map(({ id, name }) => ({ value: id, label: name })),
                  value,
                )}
                value={value}
                onChange={onChange}
                error={error}
                scrolls
              />
            ) : (
              <TextareaField
                label={t("keyIds")}
                hint={[t("keyIdsHint"), hint].filter(Boolean).join(" ")}
                rows={3}
                mono
                value={value.join("\n")}
                onValue={(text) => onChange(text === "" ? [] : text.split("\n"))}
                error={error}
              />
            )
          }
        </Chosen>
      )}
    </>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code translate="no" className="text-table wrap-anywhere">
      {children}
    </code>
  );
}

type Option = Parameters<typeof CheckList<string>>[0]["options"][number];

/** Adds earlier choices that are not among the options, such as a revoked key. */
function withChosen(options: Option[], chosen: readonly string[]): Option[] {
  const missing = chosen.filter((id) => !options.some(({ value }) => value === id));
  return [...options, ...missing.map((id) => ({ value: id, label: <Code>{id}</Code> }))];
}

/** The field of a refusal whose code names no parameter, or another one than the form. */
function atField(error: GatewayFailure | null): GatewayFailure | null {
  if (error?.code === "invalid_webhook_url" || error?.code === "private_address_not_allowed")
    return { ...error, param: "url" satisfies keyof GuardCreate };
  return error?.param?.startsWith("except_keys") ? { ...error, param: "keys" } : error;
}
