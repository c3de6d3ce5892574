import type { ComponentProps } from "react";
import { useWords } from "#words";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { usePlace } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import type { Key } from "@/messages/words";

/** Possible reasons, and where to look instead: messages of `missing`. */
interface MissingWords {
  title: Key<"missing">;
  heading: Key<"missing">;
  body: Key<"missing">;
  drawing?: ComponentProps<typeof EmptyState>["drawing"];
  /** The button's label and address. `{id}` is the id that was not found. */
  action: readonly [Key<"missing">, string];
}

export const unknownAddress: MissingWords = {
  title: "notFound",
  heading: "noPage",
  body: "checkAddress",
  drawing: "gate",
  action: ["goHome", "/"],
};

const unknownModel: MissingWords = {
  title: "modelNotFound",
  heading: "notInCatalog",
  body: "checkName",
  drawing: "frames",
  action: ["openCatalog", "/catalog"],
};

/** The words for an unknown id, by the address of its page. `*` is any part of the address. */
const unknownIds: Record<string, MissingWords> = {
  "/batches/*": {
    title: "batchNotFound",
    heading: "noBatch",
    body: "startedElsewhere",
    action: ["openBatches", "/batches"],
  },
  "/catalog/*/*": unknownModel,
  "/compare/*": {
    title: "comparisonNotFound",
    heading: "noComparison",
    body: "startedElsewhere",
    action: ["compareModels", "/compare"],
  },
  "/conversations/*": {
    title: "conversationNotFound",
    heading: "noConversation",
    body: "conversationMayBeGone",
    action: ["openCatalog", "/catalog"],
  },
  "/destinations/*": {
    title: "destinationNotFound",
    heading: "noDestination",
    body: "destinationMayBeGone",
    drawing: "frames",
    action: ["openDestinations", "/destinations"],
  },
  "/operator/accounts/deleted/*": {
    title: "deletionNotFound",
    heading: "noDeletion",
    body: "onlyDeleted",
    action: ["deletedAccounts", "/operator/accounts/deleted"],
  },
  "/operator/mapping/*": {
    title: "routeNotFound",
    heading: "noRoute",
    body: "routeMayBeGone",
    drawing: "signal",
    action: ["allRoutes", "/operator/mapping"],
  },
  "/operator/models/*/*": {
    title: "modelNotFound",
    heading: "noModel",
    body: "modelMayBeGone",
    drawing: "frames",
    action: ["allModels", "/operator/models"],
  },
  "/operator/providers/*": {
    title: "providerNotFound",
    heading: "noProvider",
    body: "providerMayBeGone",
    drawing: "signal",
    action: ["allProviders", "/operator/providers"],
  },
  "/playground/*/*/*": unknownModel,
  "/predictions/*": {
    title: "predictionNotFound",
    heading: "noPrediction",
    body: "createdElsewhere",
    action: ["openPredictions", "/predictions"],
  },
  "/presets/*": {
    title: "presetNotFound",
    heading: "noPreset",
    body: "presetMayBeGone",
    action: ["openCatalog", "/catalog"],
  },
  "/requests/*": {
    title: "requestNotFound",
    heading: "noRequest",
    body: "listedLater",
    action: ["openRequests", "/requests"],
  },
  "/settings/connections/*": {
    title: "connectionNotFound",
    heading: "noConnection",
    body: "connectionMayBeGone",
    action: ["allConnections", "/settings/connections"],
  },
  "/webhooks/deliveries/*": {
    title: "deliveryNotFound",
    heading: "noDelivery",
    body: "deliveryMayBeGone",
    action: ["openDeliveryLog", "/webhooks/deliveries"],
  },
  "/webhooks/endpoints/*": {
    title: "endpointNotFound",
    heading: "noEndpoint",
    body: "endpointMayBeGone",
    drawing: "signal",
    action: ["viewDeliveries", "/webhooks/deliveries?endpoint_id={id}"],
  },
};

/** The page for an unknown id or address of the console. */
export function Missing() {
  const { path } = usePlace();
  const [, words = unknownAddress] =
    Object.entries(unknownIds).find(([pattern]) => matches(path, pattern)) ?? [];
  return <MissingPage {...words} id={path.slice(path.lastIndexOf("/") + 1)} />;
}

function matches(path: string, pattern: string): boolean {
  const [parts, expected] = [path.split("/"), pattern.split("/")];
  return (
    parts.length === expected.length && expected.every((part, index) => part === "*" || part === parts[index])
  );
}

export function MissingPage({
  title,
  heading,
  body,
  drawing,
  action: [label, href],
  id = "",
}: MissingWords & { id?: string }) {
  const t = useWords("missing");
  return (
    <>
      <PageHeader title={t(title)} />
      <EmptyState
        {...(drawing && { drawing })}
        title={t(heading)}
        body={t(body)}
        action={<LinkButton href={href.replace("{id}", id)}>{t(label)}</LinkButton>}
      />
    </>
  );
}
