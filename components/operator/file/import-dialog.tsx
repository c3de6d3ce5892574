"use client";

import { FileUp } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { proposalLimits, providerFields, variableOfSource } from "#contract/operator/constants.ts";
import type {
  FileProposal,
  FileProposalCreate,
  ProvidersFileImport,
  ProvidersFileImported,
} from "#contract/operator/file.ts";
import { useWords } from "#words";
import { PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { act, changeConfiguration } from "@/lib/gateway/act";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import { useChange } from "../use-change.ts";
import { importedText } from "./contents-text.ts";
import { ModelsOfKey } from "./models-of-key.tsx";

interface Chosen {
  name: string;
  file: ProvidersFileImport["file"];
  preview: ProvidersFileImported;
  /** What made the file, if it was not a providers file. */
  proposal: FileProposal | null;
}

type Source = "file" | FileProposalCreate["from"];

/** Services from which models or a configuration come, by their names. */
const services = { litellm: "LiteLLM", openrouter: "OpenRouter", replicate: "Replicate" } as const;

/**
 * Chooses a providers file, or makes one from LiteLLM's configuration or from the models of a key; previews the
 * import, then imports it.
 */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useWords("providers");
  const { change } = useChange();
  const { busy, failure, show, attempt } = useSend();
  const input = useRef<HTMLInputElement>(null);
  const [reading, setReading] = useState(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [keys, setKeys] = useState<Record<string, string>>({});
  const [from, setFrom] = useState<Source>("file");

  const clear = () => {
    setChosen(null);
    setKeys({});
    show(null);
  };
  const review = async (
    name: string,
    file: ProvidersFileImport["file"],
    proposal: FileProposal | null,
  ): Promise<void> => {
    if (JSON.stringify(file).length > maxBytes) return show(tooLarge(t, name));
    setReading(true);
    const preview = await answerOf(act("POST /operator/file", { body: { file, dry_run: true } }));
    setReading(false);
    if (preview.ok) setChosen({ name, file, preview: preview.data, proposal });
    else show(preview.error);
  };
  const convert = async (source: File): Promise<void> => {
    if (source.size > proposalLimits.textBytes) return show(tooLarge(t, source.name));
    setReading(true);
    const text = await source.text();
    if (text.includes("\0")) {
      setReading(false);
      return show(localFailure("unreadable_file", t("notText", { name: source.name })));
    }
    const body = { from: "litellm" as const, text };
    const proposal = await answerOf(act("POST /operator/file/proposal", { body }));
    setReading(false);
    if (proposal.ok) await review(source.name, proposal.data.file, proposal.data);
    else show(proposal.error);
  };
  const take = async (source: File | undefined) => {
    if (!source) return;
    clear();
    if (from === "litellm") return convert(source);
    const file = await contentOf(t, source);
    if ("code" in file) return show(file);
    await review(source.name, file.content, null);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!chosen) return;
    const given = Object.fromEntries(Object.entries(keys).filter(([, key]) => key.trim() !== ""));
    const describe = (imported: ProvidersFileImported) =>
      t("contentsImported", { contents: importedText(t, imported) });
    const body = { file: chosen.file, keys: given };
    await attempt(() => change(changeConfiguration("POST /operator/file", { body }), describe, onClose));
  };

  const preview = chosen?.preview;
  const lacking = new Set(
    preview?.missing_keys.filter(({ name }) => !keys[name]?.trim()).map(({ name }) => name),
  );
  const isNothing = preview !== undefined && itemsOf(preview) === 0;
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title={t("import")}
      description={t("aProvidersFileLitellmsConfig")}
    >
      <form onSubmit={(event) => void send(event)} autoComplete="off" className="space-y-4">
        <RadioGroup
          legend={t("from")}
          appearance="segments"
          options={Object.entries({ file: t("file"), ...services }).map(([value, label]) => ({
            value: value as Source,
            label,
            disabled: busy || reading,
          }))}
          value={from}
          onChange={(source) => {
            clear();
            setFrom(source);
          }}
        />
        <input
          ref={input}
          type="file"
          hidden
          accept={from === "litellm" ? ".yaml,.yml" : ".json,application/json"}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        {from === "openrouter" || from === "replicate" ? (
          <ModelsOfKey
            key={from}
            from={from}
            name={services[from]}
            disabled={busy || reading}
            onReading={setReading}
            onFailure={(failed) => {
              setChosen(null);
              show(failed);
            }}
            onProposed={(proposal, key) => {
              setKeys({ [variableOfSource[from]]: key });
              void review(t("modelsOf", { from }), proposal.file, proposal);
            }}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              icon={<FileUp size={16} aria-hidden />}
              busy={reading}
              disabled={busy}
              onClick={() => input.current?.click()}
            >
              {chosen
                ? t("chooseAnotherFile")
                : from === "litellm"
                  ? t("chooseConfigYaml")
                  : t("chooseJsonFile")}
            </Button>
            <span className="text-table text-muted wrap-anywhere">
              {chosen?.name ?? (from === "litellm" ? t("ofLitellmsProxyKeysThat") : t("madeByExportAsFile"))}
            </span>
          </div>
        )}
        <div aria-live="polite">
          {chosen && (
            <div ref={bringIntoView} className="space-y-4">
              <ImportPreview
                preview={chosen.preview}
                keys={keys}
                onKey={(name, key) => setKeys({ ...keys, [name]: key })}
              />
              {chosen.proposal && <ProposalNotes {...chosen.proposal} />}
            </div>
          )}
        </div>
        {failure && (
          <div ref={bringIntoView}>
            <ErrorPanel error={failure} />
          </div>
        )}
        <FormActions>
          {lacking.size > 0 && (
            <p className="flex-1 self-center text-meta text-muted">
              {t.rich(
                "keysMissing",
                { count: lacking.size },
                {
                  button: (label) => (
                    <button
                      key="enter"
                      type="button"
                      className="font-medium text-accent"
                      onClick={() => focusKey(lacking)}
                    >
                      {label}
                    </button>
                  ),
                },
              )}
            </p>
          )}
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          {preview && preview.problems.length === 0 && !isNothing && (
            <Button type="submit" variant="primary" busy={busy} disabled={lacking.size > 0}>
              {t("importItems", { count: itemsOf(preview) })}
            </Button>
          )}
        </FormActions>
      </form>
    </FormDialog>
  );
}

/** The settings that the file leaves out, and the calls that set the limits of an account. */
function ProposalNotes({ findings, calls }: FileProposal) {
  const t = useWords("providers");
  if (findings.length + calls.length === 0) return null;
  return (
    <div className="space-y-3">
      {findings.length > 0 && (
        <details open={findings.length <= openFindings}>
          <summary className="text-table font-medium">
            {t("notCarriedOver", { count: findings.length })}
          </summary>
          <ul className="mt-2 list-disc space-y-1 pl-5 text-table text-muted wrap-anywhere">
            {findings.map(({ place, reason, todo }) => (
              <li key={`${place} ${reason}`}>
                <code>{place}</code>: <span lang="en">{withCode(`${reason} ${todo}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {calls.length > 0 && (
        <>
          <p className="text-table">{t("setsNoLimits", { count: calls.length })}</p>
          <CodeBlock
            label={t("callsThatSetLimitsAnd")}
            language="http"
            wrap
            code={calls
              .map(({ method, path, body }) => `${method} ${path}\n${JSON.stringify(body)}`)
              .join("\n\n")}
          />
        </>
      )}
    </div>
  );
}

/** More findings than these are folded away at first. */
const openFindings = 5;

/** How many items an import adds. 0: everything in the file already exists. */
function itemsOf({ created, models, routes, aliases, prices }: ProvidersFileImported): number {
  return created.length + models.length + routes + aliases.length + prices;
}

const keyField = (variable: string) => `key of ${variable}`;

/** The key fields can be far above the button that waits for them. */
function focusKey(lacking: ReadonlySet<string>): void {
  const [variable = ""] = lacking;
  document.getElementsByName(keyField(variable))[0]?.focus();
}

/** Shows words between backticks as code. */
function withCode(text: string): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

/** Without it, what appears below a long list of models is outside the dialog's window. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView?.({ block: "start" });
}

interface ImportPreviewProps {
  preview: ProvidersFileImported;
  keys: Readonly<Record<string, string>>;
  onKey: (variable: string, key: string) => void;
}

/** The items that an import adds and those that stay, the faults to fix first, and the missing keys. */
function ImportPreview({ preview, keys, onKey }: ImportPreviewProps) {
  const t = useWords("providers");
  const { created, kept, models, models_kept, routes, routes_kept, aliases, aliases_kept } = preview;
  const { prices, prices_kept, missing_keys, problems, notes } = preview;
  const variables = [...new Set(missing_keys.map(({ name }) => name))];
  if (problems.length > 0)
    return (
      <div role="alert" className="space-y-2 rounded-panel border border-bad bg-bad-soft p-3">
        <p className="font-medium">{t("nothingCanBeImportedUntil")}</p>
        <ul className="list-disc space-y-1 pl-5 text-table wrap-anywhere">
          {problems.map((problem) => (
            <li key={problem} lang="en">
              {problem}
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <div className="space-y-4">
      <Facts
        facts={[
          [t("newProviders"), listText(t.language, created, "plain") || t("none")],
          ...(models.length > 0 ? [[t("newModels"), listText(t.language, models, "plain")] as const] : []),
          [t("newRoutes"), routes > 0 ? t("afterExisting", { count: routes }) : t("none")],
          ...(aliases.length > 0 ? [[t("newAliases"), listText(t.language, aliases, "plain")] as const] : []),
          ...(prices > 0 ? [[t("newPrices"), String(prices)] as const] : []),
          ...(kept.length > 0
            ? [[t("existingProviders"), listText(t.language, kept, "plain")] as const]
            : []),
          ...(models_kept.length > 0
            ? [[t("existingModels"), listText(t.language, models_kept, "plain")] as const]
            : []),
          ...(routes_kept > 0
            ? [[t("existingRoutes"), t("sameAsExisting", { count: routes_kept })] as const]
            : []),
          ...(aliases_kept.length > 0
            ? [[t("existingAliases"), listText(t.language, aliases_kept, "plain")] as const]
            : []),
          ...(prices_kept > 0 ? [[t("existingPrices"), String(prices_kept)] as const] : []),
        ]}
      />
      {itemsOf(preview) === 0 && <p>{t("everythingInTheFileAlready")}</p>}
      {notes.length > 0 && (
        <ul className="list-disc space-y-1 pl-5 text-table text-muted wrap-anywhere">
          {notes.map((note) => (
            <li key={note} lang="en">
              {note}
            </li>
          ))}
        </ul>
      )}
      {variables.map((variable) => (
        <PasswordField
          key={variable}
          rule={providerFields.key}
          label={t.rich("keyFor", { variable }, { code: (name) => <code key="variable">{name}</code> })}
          hint={t("keyForPlaces", {
            places: missing_keys
              .filter(({ name }) => name === variable)
              .map(({ provider, region }) => `${provider}, ${region}`)
              .join("; "),
          })}
          what="key"
          name={keyField(variable)}
          // Password managers must not offer to save this value: it is not a password of this site.
          autoComplete="new-password"
          data-1p-ignore
          look="font-mono"
          value={keys[variable] ?? ""}
          onValue={(value) => onKey(variable, value)}
        />
      ))}
    </div>
  );
}

/** The largest body of a server action, minus some space for its other fields. */
const maxBytes = 900_000;

function tooLarge(t: Words<"providers">, name: string): GatewayFailure {
  return localFailure("file_too_large", t("tooLarge", { name }));
}

/** The content of the file, or why it cannot be read. */
async function contentOf(
  t: Words<"providers">,
  source: File,
): Promise<{ content: ProvidersFileImport["file"] } | GatewayFailure> {
  if (source.size > maxBytes) return tooLarge(t, source.name);
  try {
    const content: unknown = JSON.parse(await source.text());
    if (typeof content === "object" && content !== null && !Array.isArray(content))
      return { content: content as ProvidersFileImport["file"] };
    return localFailure("invalid_json", t("noProvidersFile", { name: source.name }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return localFailure("invalid_json", t("notJson", { name: source.name, reason }));
  }
}
