"use client";

import { CircleCheck, OctagonAlert, PlugZap } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { OperatorProvider, ProviderTest } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { Button, LinkButton } from "@/components/ui/button";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Input } from "@/components/ui/form/input";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Progress } from "@/components/ui/progress";
import { inWords } from "@/components/words/coded";
import { answerOf } from "@/lib/browser/action-answer";
import { formatDuration } from "@/lib/format";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import { addModel, tryProvider } from "@/lib/operator/actions";
import { listText } from "@/lib/words/list-text";
import { proposedId } from "../models/model-id.ts";
import { useUpstreamModels } from "../provider-model-fields.tsx";

interface UpstreamModelsProps {
  provider: OperatorProvider;
  /** Called after models were added to the catalog. */
  onImported?: () => void;
}

/** The models that the provider lists, each with a way to add it to the catalog. */
export function UpstreamModels({ provider, onImported }: UpstreamModelsProps) {
  const t = useWords("providers");
  const [text, setText] = useState("");
  // Ticked models by name, so that a search keeps earlier ticks.
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const imports = useImportMany(provider.name);
  const { list, failure, busy, refetch } = useUpstreamModels(provider.id, text);
  const models = list?.data ?? [];
  const regions = listText(
    t.language,
    provider.credentials.map(({ region }) => region),
    "plain",
  );
  const from = `provider=${encodeURIComponent(provider.name)}`;
  const importHref = (name: string) => `/operator/models/new?${from}&name=${encodeURIComponent(name)}`;
  const tick = (name: string) =>
    setTicked(ticked.includes(name) ? ticked.filter((other) => other !== name) : [...ticked, name]);
  const importTicked = async () => {
    setTicked([]);
    await imports.start(ticked);
    onImported?.();
  };
  return (
    <Section
      title={t("modelsOfTheProvider")}
      description={
        {
          named: t("importsNamed", { regions }),
          listed: t("importsListed", { regions }),
          none: t("importsNone"),
        }[provider.imports]
      }
      actions={
        <Input
          type="search"
          aria-label={t("searchModels")}
          placeholder={t("search")}
          className="w-64! max-phone:w-full!"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      }
    >
      {imports.models.length > 0 && (
        <ImportResults
          models={imports.models}
          busy={imports.busy}
          onStop={imports.stop}
          hrefOf={importHref}
        />
      )}
      {ticked.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 text-table text-muted">
            {t("modelsTicked", { count: ticked.length, names: listText(t.language, ticked, "plain") })}
          </p>
          <Button size="sm" onClick={() => setTicked([])}>
            {t("clear")}
          </Button>
          <Button size="sm" variant="primary" busy={imports.busy} onClick={() => void importTicked()}>
            {t("importModels", { count: ticked.length })}
          </Button>
        </div>
      )}
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      <p role="status" className="text-table text-muted not-empty:mb-2">
        {busy && !list ? t("asking") : list && models.length === 0 ? t("theProviderListsNoSuch") : ""}
      </p>
      {models.length > 0 && (
        <ul className="divide-y rounded-panel border bg-panel">
          {models.map((model) => (
            <li key={model.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              {provider.imports !== "none" && (
                <Checkbox
                  hideLabel
                  label={t("tickId", { id: model.id })}
                  checked={ticked.includes(model.id)}
                  onChange={() => tick(model.id)}
                />
              )}
              <span className="min-w-0 flex-1 basis-32">
                <span className="block font-mono text-table wrap-anywhere">{model.id}</span>
                {model.description && (
                  <span className="line-clamp-2 block text-meta text-muted">{model.description}</span>
                )}
              </span>
              <LinkButton
                size="sm"
                aria-label={t("mapModelsToId", { id: model.id })}
                href={`/operator/mapping/new?${from}&upstream=${encodeURIComponent(model.id)}`}
              >
                {t("map")}
              </LinkButton>
              {provider.imports !== "none" && (
                <LinkButton
                  size="sm"
                  aria-label={t("importId", { id: model.id })}
                  href={importHref(model.id)}
                >
                  {t("import")}
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {list?.has_more && <p className="mt-2 text-meta text-muted">{t("moreModelsMatchTypeTo")}</p>}
    </Section>
  );
}

/** The result for one model when several models are imported together. */
type ImportResult =
  | { state: "waiting" | "importing" }
  | { state: "added" | "known"; id: string }
  | { state: "failed"; failure: GatewayFailure };

interface ImportedModel {
  /** The provider's name for the model. */
  name: string;
  result: ImportResult;
}

/**
 * Imports a provider's models one after the other. A failure does not stop the others, and the user can stop
 * the import.
 */
function useImportMany(provider: string) {
  const [models, setModels] = useState<readonly ImportedModel[]>([]);
  const [busy, setBusy] = useState(false);
  const stopped = useRef(false);

  const start = async (names: readonly string[]) => {
    const results = new Map<string, ImportResult>(names.map((name) => [name, { state: "waiting" }]));
    const tell = (name: string, result: ImportResult) => {
      results.set(name, result);
      setModels(Array.from(results, ([each, its]) => ({ name: each, result: its })));
    };
    stopped.current = false;
    setBusy(true);
    for (const name of names) {
      if (stopped.current) break;
      tell(name, { state: "importing" });
      tell(name, await importModel(provider, name));
    }
    setBusy(false);
  };
  const stop = () => {
    stopped.current = true;
  };
  return { models, busy, start, stop };
}

async function importModel(provider: string, name: string): Promise<ImportResult> {
  const id = proposedId(name);
  const answer = await answerOf(addModel({ id, import: { provider, name } }));
  if (answer.ok) return { state: "added", id: answer.data.data.id };
  return answer.error.code === "model_exists"
    ? { state: "known", id }
    : { state: "failed", failure: answer.error };
}

interface ImportResultsProps {
  models: readonly ImportedModel[];
  busy: boolean;
  onStop: () => void;
  /** The page on which to import a model of this name by hand. */
  hrefOf: (name: string) => string;
}

/** Progress of an import of several models, with the result of each. */
function ImportResults({ models, busy, onStop, hrefOf }: ImportResultsProps) {
  const t = useWords("providers");
  const ended = models.filter(({ result }) => result.state !== "waiting" && result.state !== "importing");
  const added = models.filter(({ result }) => result.state === "added").length;
  const failed = models.filter(({ result }) => result.state === "failed").length;
  return (
    <div className="mb-4 rounded-panel border bg-panel p-3">
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {busy
            ? t("importing", { at: ended.length + 1, all: models.length, added, failed })
            : t("importEnded", { added, failed })}
        </p>
        {busy && (
          <Button size="sm" onClick={onStop}>
            {t("stopAfterThisOne")}
          </Button>
        )}
      </div>
      {busy && (
        <Progress
          className="mt-2"
          label={t("importedModels")}
          value={models.length === 0 ? null : ended.length / models.length}
        />
      )}
      <ul className="mt-2 space-y-1 text-table">
        {models.map(({ name, result }) => (
          <li key={name} className="flex flex-wrap gap-x-2">
            <span className="font-mono wrap-anywhere">{name}</span>
            <Outcome result={result} busy={busy} href={hrefOf(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const linkLook = "text-accent underline underline-offset-2";

function Outcome({ result, busy, href }: { result: ImportedModel["result"]; busy: boolean; href: string }) {
  const t = useWords("providers");
  switch (result.state) {
    case "waiting":
      return <span className="text-muted">{busy ? t("waits") : t("notImportedBecauseYouStopped")}</span>;
    case "importing":
      return <span className="text-muted">{t("loading")}</span>;
    case "added":
      return (
        <span>
          {t.rich("addedAs", { id: result.id }, { link: (id) => <ModelLink key="model" id={id.join("")} /> })}
        </span>
      );
    case "known":
      return (
        <span className="text-muted">
          {t.rich(
            "alreadyExisted",
            { id: result.id },
            { link: (id) => <ModelLink key="model" id={id.join("")} /> },
          )}
        </span>
      );
    case "failed":
      return (
        <span>
          <span className="text-bad">
            <FailureInShort failure={result.failure} />
          </span>{" "}
          <Link className={linkLook} href={href}>
            {t("importThisModelByHand")}
          </Link>
        </span>
      );
  }
}

function ModelLink({ id }: { id: string }) {
  return (
    <Link className={linkLook} href={`/operator/models/${id}`}>
      {id}
    </Link>
  );
}

interface ProviderTestPanelProps {
  id: string;
  /** Whether the provider was just saved, so that the test starts at once. */
  testNow: boolean;
  /** Opens the forms for the settings that may be wrong. */
  fix: { address: () => void; key: () => void } | null;
}

/** Sends the provider a request that costs nothing, and shows the result. */
export function ProviderTestPanel({ id, testNow, fix }: ProviderTestPanelProps) {
  const t = useWords("providers");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<GatewayResult<ProviderTest> | null>(null);
  const test = async () => {
    setBusy(true);
    setResult(await answerOf(tryProvider(id)));
    setBusy(false);
  };

  const started = useRef(false);
  useEffect(() => {
    if (!testNow || started.current) return;
    started.current = true;
    const address = new URL(window.location.href);
    address.searchParams.delete("test");
    window.history.replaceState(null, "", address);
    void test();
  });

  return (
    <Section
      title={t("test")}
      description={t("theTestReadsTheProviders")}
      actions={
        <Button busy={busy} icon={<PlugZap size={16} aria-hidden />} onClick={() => void test()}>
          {t("testNow")}
        </Button>
      }
    >
      <div role="status">
        {busy && <p className="text-muted">{t("asking")}</p>}
        {!busy && result?.ok && <TestResult result={result.data} />}
      </div>
      {!busy && result && !result.ok && <ErrorPanel error={result.error} />}
      {!busy && fix && result?.ok && !result.data.ok && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button onClick={fix.address}>{t("changeAddress")}</Button>
          <Button onClick={fix.key}>{t("enterAnotherKey")}</Button>
        </div>
      )}
    </Section>
  );
}

function TestResult({ result }: { result: ProviderTest }) {
  // One server that serves several regions answers for all of them alike.
  const answers = Map.groupBy(result.regions, ({ key, ok, message }) => JSON.stringify([key, ok, message]));
  return (
    <ul className="space-y-2">
      {Array.from(answers, ([same, regions]) => (
        <TestAnswer key={same} regions={regions} ofAll={result.regions.length} />
      ))}
    </ul>
  );
}

/** An answer that these regions gave, of `ofAll` answers. */
function TestAnswer({ regions, ofAll }: { regions: ProviderTest["regions"]; ofAll: number }) {
  const t = useWords("providers");
  const [first] = regions;
  if (!first) return null;
  const { ok, message, message_codes: codes, key } = first;
  const Icon = ok ? CircleCheck : OctagonAlert;
  const where =
    regions.length === ofAll && ofAll > 1
      ? t("allRegions", { count: ofAll })
      : listText(
          t.language,
          regions.map(({ region }) => region),
          "plain",
        );
  const took = formatDuration(Math.max(...regions.map(({ latency_ms }) => latency_ms)), t.language);
  const facts = [...(ofAll > 1 ? [where] : []), ...(key !== null ? [t("keyKey", { key })] : []), took];
  return (
    <li
      className={`flex items-start gap-2 rounded-panel border p-3 max-phone:flex-wrap ${ok ? "border-good bg-good-soft" : "border-bad bg-bad-soft"}`}
    >
      <Icon size={18} aria-hidden className={`mt-px shrink-0 ${ok ? "text-good" : "text-bad"}`} />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {t.rich("testAnswer", { ok: ok ? "yes" : "no", message }, inWords(message, codes))}
      </span>
      <span className="text-meta text-muted">{listText(t.language, facts, "plain")}</span>
    </li>
  );
}
