import type { ComponentProps, ReactNode } from "react";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";

interface MissingPageProps {
  title: string;
  heading: string;
  body: string;
  action: ReactNode;
  drawing?: ComponentProps<typeof EmptyState>["drawing"];
}

/** The page for an unknown id: possible reasons, and where to look instead. */
export function MissingPage({ title, heading, body, action, drawing }: MissingPageProps) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState {...(drawing && { drawing })} title={heading} body={body} action={action} />
    </>
  );
}

/** The page for an unknown address. */
export function Missing() {
  return (
    <MissingPage
      title="Not found"
      heading="No page at this address"
      body="Check the address. The page may have been deleted or belong to another account."
      drawing="gate"
      action={<LinkButton href="/">Go to Home</LinkButton>}
    />
  );
}
