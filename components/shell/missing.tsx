import type { ComponentProps, ReactNode } from "react";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

interface MissingPageProps {
  title: string;
  heading: string;
  body: string;
  action: ReactNode;
  drawing?: ComponentProps<typeof EmptyState>["drawing"];
}

/** The page for an id that leads nowhere: what may be wrong, and where to look instead. */
export function MissingPage({ title, heading, body, action, drawing }: MissingPageProps) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState {...(drawing && { drawing })} title={heading} body={body} action={action} />
    </>
  );
}

/** The page for an address that leads nowhere. */
export function Missing() {
  return (
    <MissingPage
      title="Not found"
      heading="Check the address"
      body="It may be mistyped, belong to another account, or name something that was deleted."
      drawing="gate"
      action={<LinkButton href="/">Go to Home</LinkButton>}
    />
  );
}
