import { createLoader, parseAsInteger } from "nuqs/server";
import { cache } from "react";
import type { Preset, PresetVersionList } from "#contract/presets.ts";
import { page } from "@/app/console-page";
import { VersionChoice, VersionsTable } from "@/components/presets/versions";
import { LinkButton } from "@/components/ui/button";
import { Added, Removed } from "@/components/ui/changed-text";
import { CopyButton } from "@/components/ui/copy-button";
import { JsonView } from "@/components/ui/json-view";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import type { RouteProps } from "@/lib/page-props";
import { presetHref, sharedAddress } from "@/lib/playground-links";
import { type Difference, differencesOf, maxDifferences } from "@/lib/presets/differences";
import { versionLabel } from "@/lib/presets/labels";
import type { FormPlan } from "@/lib/schema-form/plan";
import { planForm } from "@/lib/schema-form/plan-form";
import { modelInLanguage } from "@/lib/server/catalog-words";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { messageLanguage, words } from "@/lib/server/words";
import type { Words } from "@/messages/words";

/** Cached, so that the title and the page share one request. */
const readPreset = cache((id: string) => requestRoute("GET /presets/{id}", { params: { id } }));

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const preset = await readPreset((await params).id);
  const t = await words("presets");
  return { title: preset.ok ? t("presetNamed", { name: preset.data.name }) : t("preset") };
}

/** A preset: its content and its versions. Its address is also the link to share. */
export default page<"id", "presets">(
  {
    title: "preset",
    parts: ["presets"],
    notOffered: (t) => <NotOffered what={t("presetsNoun")}>{t("fillInTheFormInThe")}</NotOffered>,
  },
  async ({ t, session: { accountId }, params: { id }, search, requestRoute, need }) => {
    const { from, to } = loadPresetSearchParams(search);
    const [preset, versions] = await Promise.all([
      need(readPreset(id)),
      requestRoute("GET /presets/{id}/versions", { params: { id } }),
    ]);
    const { name, model, input, updated_at } = preset;
    return (
      <>
        <ReturnToRow list="/presets" />
        <PageHeader
          title={name}
          description={t.rich(
            "forModel",
            { model, version: versionLabel(preset, t) },
            {
              code: (content) => <code key="code">{content}</code>,
              time: () => <Time key="time" value={updated_at} />,
            },
          )}
          actions={
            <>
              <CopyButton value={sharedAddress(env.consoleUrl, accountId, id)} label={t("copyLink")} />
              <LinkButton variant="primary" href={presetHref(preset)}>
                {t("openInThePlayground")}
              </LinkButton>
            </>
          }
        />
        <Section title={t("input")}>
          <JsonView value={input} label={t("input")} />
        </Section>
        {versions.ok ? (
          <>
            {from !== null && to !== null && (
              <Comparison
                id={id}
                versions={versions.data.data.map(({ version }) => version)}
                from={from}
                to={to}
                plan={await planOf(preset)}
              />
            )}
            <Section title={t("versions")} description={describeHistory(versions.data, t)}>
              <VersionsTable id={id} versions={versions.data.data} />
            </Section>
          </>
        ) : (
          <LoadFailure error={versions.error} />
        )}
      </>
    );
  },
);

/** The labels of the fields. Empty if the model is no longer offered. */
async function planOf({ model: id, api_type: apiType }: Preset) {
  const [namespace = "", name = ""] = id.split("/");
  const model = await requestRoute("GET /models/{namespace}/{name}", { params: { namespace, name } });
  const t = await words("inputForm");
  const offered = model.ok ? modelInLanguage(model.data, await messageLanguage()) : null;
  const operation = offered?.operations.find((each) => each.api_type === apiType);
  return offered && operation
    ? planForm(offered, operation, t)
    : { t, modelId: id, fields: [], fixed: {}, hidden: [] };
}

function describeHistory({ data }: PresetVersionList, t: Words<"presets">): string {
  const oldest = data.at(-1)?.version ?? 1;
  if (oldest > 1) return t("versionsBeforeAreNotStored", { version: String(oldest) });
  return data.length === 1 ? t("hasNotBeenChanged") : t("restoringCreatesANewOne");
}

const presetSearchParams = { from: parseAsInteger, to: parseAsInteger };

const loadPresetSearchParams = createLoader(presetSearchParams);

interface ComparisonProps {
  id: string;
  /** The stored versions, newest first. */
  versions: readonly number[];
  from: number;
  to: number;
  plan: FormPlan;
}

/** The differences between two versions of a preset. */
async function Comparison({ id, versions, from, to, plan }: ComparisonProps) {
  const t = await words("presets");
  const read = (version: number) =>
    requestRoute("GET /presets/{id}/versions/{version}", { params: { id, version: String(version) } });
  const [before, after] = await Promise.all([read(from), read(to)]);
  const failed = [before, after].find((answer) => !answer.ok);
  return (
    <Section
      title={t("whatChanged")}
      actions={<VersionChoice id={id} versions={versions} from={from} to={to} />}
    >
      {failed && !failed.ok && <LoadFailure error={failed.error} />}
      {before.ok && after.ok && (
        <DifferenceList differences={differencesOf(before.data, after.data, plan, t)} />
      )}
    </Section>
  );
}

/** The differences between two versions, field by field. */
async function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  const t = await words("presets");
  if (differences.length === 0) return <p className="text-muted">{t("theseTwoVersionsAreThe")}</p>;
  return (
    <>
      <dl className="divide-y rounded-panel border bg-panel">
        {differences.map((difference) => (
          <div
            key={difference.path}
            className="grid gap-x-4 gap-y-1 px-3 py-2 tablet:grid-cols-[minmax(120px,220px)_1fr]"
          >
            <dt className="font-medium wrap-anywhere">{difference.field}</dt>
            <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
              <Change difference={difference} />
            </dd>
          </div>
        ))}
      </dl>
      {differences.length === maxDifferences && (
        <p className="mt-2 text-meta text-muted">{t("theseAreTheFirst", { count: maxDifferences })}</p>
      )}
    </>
  );
}

const added = (content: string[]) => (
  <span key="to" className="text-ink">
    <Added>{content.join("")}</Added>
  </span>
);

const removed = (content: string[]) => (
  <span key="from" className="text-ink">
    <Removed>{content.join("")}</Removed>
  </span>
);

async function Change({ difference }: { difference: Difference }) {
  const t = await words("presets");
  switch (difference.kind) {
    case "added":
      return <span className="text-muted">{t.rich("wasNotSet", { to: difference.to }, { new: added })}</span>;
    case "removed":
      return (
        <span className="text-muted">
          {t.rich("isNoLongerSet", { from: difference.from }, { old: removed })}
        </span>
      );
    case "changed":
      return (
        <span className="text-muted">
          {t.rich("fromTo", { from: difference.from, to: difference.to }, { old: removed, new: added })}
        </span>
      );
    case "text":
      return difference.parts.map(({ kind, text }, at) => {
        const Part = { same: "span", removed: Removed, added: Added }[kind] as typeof Added;
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
        return <Part key={at}>{text}</Part>;
      });
  }
}
