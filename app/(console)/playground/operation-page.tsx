import { notFound } from "next/navigation";
import type { ComponentType } from "react";
import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { useWords } from "#words";
import { page } from "@/app/console-page";
import { exampleOf, ModelCover } from "@/components/catalog/model-cover";
import { coverOf } from "@/components/catalog/purpose";
import { Playground } from "@/components/playground/playground";
import type { PlaygroundProps } from "@/components/playground/use-playground";
import { LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { candidateKey, isCompared } from "@/lib/compare/kinds";
import type { RouteProps } from "@/lib/page-props";
import { modelInLanguage } from "@/lib/server/catalog-words";
import { messageLanguage, words } from "@/lib/server/words";
import type { Words } from "@/messages/words";

/** A chat's address does not contain the type of its operation. */
type Param = "namespace" | "name" | "apiType";

export async function generateMetadata({ params }: RouteProps<Record<Param, string>>) {
  const { namespace, name } = await params;
  const t = await words("playground");
  return { title: t("playgroundOf", { model: `${namespace}/${name}` }) };
}

interface OneOperation {
  apiType: ApiType;
  /** The heading. */
  Title: ComponentType<{ model: string }>;
}

/** The playground of one operation of a model: of `only`, or of the type in the address. */
export function operationPage(views: NonNullable<PlaygroundProps["views"]>, only?: OneOperation) {
  return page<Param, "playground">(
    {
      title: "playground",
      parts: [
        "playground",
        "inputForm",
        "jsonFault",
        "media",
        "presets",
        "conversations",
        "library",
        "shares",
        "provenance",
        "attestations",
        "destinations",
        "predictions",
        "states",
        "amounts",
      ],
    },
    async ({ t, session, params, word, baseUrl, requestRoute, need }) => {
      const { namespace, name } = params;
      const model = modelInLanguage(
        await need(requestRoute("GET /models/{namespace}/{name}", { params: { namespace, name } })),
        await messageLanguage(),
      );
      const id = `${namespace}/${name}`;
      const apiType = only?.apiType ?? params.apiType;
      const operation = model.operations.find((entry) => entry.api_type === apiType);
      if (!operation) notFound();
      return (
        <>
          <PageHeader
            title={only ? <only.Title model={id} /> : <span className="font-mono">{id}</span>}
            description={t("tryWithYourInput", {
              operation: operation.api_type,
              unit: operation.billing_unit,
            })}
            actions={
              <>
                <OperationLinks model={model} chosen={operation.api_type} />
                {isCompared(operation.api_type) && (
                  <LinkButton href={`/compare?operation=${candidateKey(id, apiType)}`}>
                    {t("tryOnOtherModels")}
                  </LinkButton>
                )}
                {!model.safety_requirements.per_request_person_rights_confirmation_required && (
                  <LinkButton href={`/batches/new?model=${id}&api_type=${apiType}`}>{t("batch")}</LinkButton>
                )}
                <LinkButton href={`/catalog/${id}`}>{t("aboutThisModel")}</LinkButton>
              </>
            }
          />
          <Playground
            key={operation.id}
            model={model}
            operation={operation}
            accountId={session.accountId}
            baseUrl={baseUrl}
            example={exampleFor(model, operation.api_type, t)}
            // The prediction, preset, saved output or row of a comparison (`batch_….3`) with the input for the draft.
            from={word("from")}
            views={views}
          />
        </>
      );
    },
  );
}

/** An example of the model's output, which was made without running the model. Null if there is none. */
function exampleFor({ id, modality }: CatalogModel, apiType: ApiType, t: Words<"playground">) {
  const example = exampleOf(id, [apiType]);
  if (example === null && coverOf(id) === null) return null;
  return (
    <>
      <ModelCover id={id} modality={modality} apiTypes={[apiType]} className="rounded-control border" />
      {example && (
        <p lang="en" className="sr-only">
          {example[1]}
        </p>
      )}
      <p className="mt-2 text-muted">
        {t.rich(
          "exampleMadeWithout",
          {},
          {
            b: (content) => (
              <strong key="b" className="font-medium text-ink">
                {content}
              </strong>
            ),
          },
        )}
      </p>
    </>
  );
}

/** Some models have several operations. Each has its own playground. */
function OperationLinks({ model, chosen }: { model: CatalogModel; chosen: ApiType }) {
  const t = useWords("playground");
  if (model.operations.length < 2) return null;
  return (
    <nav
      aria-label={t("operations")}
      className="flex gap-0.5 rounded-control border border-strong bg-sunken p-0.5"
    >
      {model.operations.map(({ api_type: apiType }) => (
        <Link
          key={apiType}
          href={`/playground/${model.id}/${apiType}`}
          aria-current={apiType === chosen ? "page" : undefined}
          className="inline-flex min-h-6.5 items-center rounded-[6px] px-2.5 text-table font-medium text-muted aria-[current]:bg-panel aria-[current]:text-ink"
        >
          {apiType}
        </Link>
      ))}
    </nav>
  );
}
