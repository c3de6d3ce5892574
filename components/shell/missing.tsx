import type { ComponentProps } from "react";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { usePlace } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";

/** Possible reasons, and where to look instead. */
interface MissingWords {
  title: string;
  heading: string;
  body: string;
  drawing?: ComponentProps<typeof EmptyState>["drawing"];
  /** The button's label and address. `{id}` is the id that was not found. */
  action: readonly [string, string];
}

export const unknownAddress: MissingWords = {
  title: "Not found",
  heading: "No page at this address",
  body: "Check the address. The page may have been deleted or belong to another account.",
  drawing: "gate",
  action: ["Go to Home", "/"],
};

const unknownModel: MissingWords = {
  title: "Model not found",
  heading: "This model is not in the catalog",
  body: "Check the name and operation, or search the catalog. The model may have been removed.",
  drawing: "frames",
  action: ["Open the catalog", "/catalog"],
};

/** The words for an unknown id, by the address of its page. `*` is any part of the address. */
const unknownIds: Record<string, MissingWords> = {
  "/batches/*": {
    title: "Batch not found",
    heading: "No batch with this id",
    body: "Check the id, and that you are signed in to the account that started it.",
    action: ["Open batches", "/batches"],
  },
  "/catalog/*/*": unknownModel,
  "/compare/*": {
    title: "Comparison not found",
    heading: "No comparison with this id",
    body: "Check the id, and that you are signed in to the account that started it.",
    action: ["Compare models", "/compare"],
  },
  "/conversations/*": {
    title: "Conversation not found",
    heading: "No conversation at this address",
    body: "The conversation may have been deleted or expired, or belong to another of your accounts.",
    action: ["Open the catalog", "/catalog"],
  },
  "/destinations/*": {
    title: "Destination not found",
    heading: "No destination with this id",
    body: "The destination may have been deleted. Check the id. Files that were copied are still in its bucket.",
    drawing: "frames",
    action: ["Open destinations", "/destinations"],
  },
  "/operator/accounts/deleted/*": {
    title: "Deletion not found",
    heading: "No deletion of an account with this id",
    body: "Check the id. Only accounts that were deleted, or will be, have a record.",
    action: ["Deleted accounts", "/operator/accounts/deleted"],
  },
  "/operator/mapping/*": {
    title: "Route not found",
    heading: "No route with this id",
    body: "The route may have been removed, or the providers file has changed.",
    drawing: "signal",
    action: ["All routes", "/operator/mapping"],
  },
  "/operator/models/*/*": {
    title: "Model not found",
    heading: "No model with this id",
    body: "The model may have been removed. You can undo a removal under Changes.",
    drawing: "frames",
    action: ["All models", "/operator/models"],
  },
  "/operator/providers/*": {
    title: "Provider not found",
    heading: "No provider with this id",
    body: "The provider may have been removed. You can undo a removal under Changes.",
    drawing: "signal",
    action: ["All providers", "/operator/providers"],
  },
  "/playground/*/*/*": unknownModel,
  "/predictions/*": {
    title: "Prediction not found",
    heading: "No prediction with this id",
    body: "Check the id, and that you are signed in to the account that created it.",
    action: ["Open predictions", "/predictions"],
  },
  "/presets/*": {
    title: "Preset not found",
    heading: "No preset at this address",
    body: "The preset may have been deleted, or belong to another of your accounts.",
    action: ["Open the catalog", "/catalog"],
  },
  "/requests/*": {
    title: "Request not found",
    heading: "No request with this id",
    body: "Requests are listed a moment after they finish, for as long as the history is kept. Check the id and the account.",
    action: ["Open requests", "/requests"],
  },
  "/settings/connections/*": {
    title: "Connection not found",
    heading: "No connection at this address",
    body: "The connection may belong to somebody else, or to another of your accounts.",
    action: ["All connections", "/settings/connections"],
  },
  "/webhooks/deliveries/*": {
    title: "Delivery not found",
    heading: "No delivery with this id",
    body: "The delivery may have been removed after its retention time. Check the id, or look for the delivery in the log.",
    action: ["Open the delivery log", "/webhooks/deliveries"],
  },
  "/webhooks/endpoints/*": {
    title: "Endpoint not found",
    heading: "No endpoint with this id",
    body: "The endpoint may have been deleted. Check the id. Past deliveries stay in the log.",
    drawing: "signal",
    action: ["View deliveries", "/webhooks/deliveries?endpoint_id={id}"],
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
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        {...(drawing && { drawing })}
        title={heading}
        body={body}
        action={<LinkButton href={href.replace("{id}", id)}>{label}</LinkButton>}
      />
    </>
  );
}
