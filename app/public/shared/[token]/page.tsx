import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SharedView } from "@/components/shares/shared-view";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { isAttestationCode } from "@/lib/attestations/gates";
import type { RouteProps } from "@/lib/page-props";
import { signInPath } from "@/lib/return-path";
import { getShared } from "@/lib/server/gateway/shared";
import { currentSession } from "@/lib/server/session";
import { sharedTitle } from "@/lib/shares/shared-title";

type Props = RouteProps<{ token: string }>;

/** What chats and mail programs show of the link: never the prompt, and a picture only where anybody may see it. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const shared = await getShared((await params).token);
  const common: Metadata = { referrer: "no-referrer", robots: { index: false, follow: false } };
  if (!shared.ok) return { ...common, title: "Shared link" };
  const { files, gated } = shared.data;
  const title = sharedTitle(files);
  const description = `Made with ${[...new Set(files.map(({ model_name: name }) => name))].join(", ")}`;
  const picture = files.find(({ url, content_type: type }) => url && type.startsWith("image/"))?.url;
  const images = picture && !gated ? [picture] : [];
  return { ...common, title, description, openGraph: { title, description, images } };
}

/** An output that somebody shared, for everybody who has the link. */
export default async function SharedPage({ params }: Props) {
  const { token } = await params;
  const shared = await getShared(token);
  if (shared.ok) return <SharedView shared={shared.data} token={token} />;
  const { code } = shared.error;
  if (code === "share_not_found" || code === "route_not_found") notFound();
  return (
    <>
      <PageHeader title="Shared link" />
      {code === "user_session_required" ? (
        <SignInFirst token={token} />
      ) : isAttestationCode(code) ? (
        <EmptyState
          drawing="gate"
          title="Attest first"
          body="The model that made this asks for an attestation of who looks. Confirm it, then open the link again."
          action={<LinkButton href="/attestations">Open attestations</LinkButton>}
        />
      ) : (
        <LoadFailure error={shared.error} />
      )}
    </>
  );
}

async function SignInFirst({ token }: { token: string }) {
  const session = await currentSession();
  const path = `/public/shared/${token}`;
  return (
    <EmptyState
      drawing="gate"
      title="Sign in to see this"
      body={
        session?.kind === "key"
          ? "Only people can open this link, and you are signed in with an account key. Sign out, then sign in with your e-mail address."
          : "The model that made this asks for attestations, so only people who are signed in and have attested the same can open the link."
      }
      action={
        session?.kind !== "key" && (
          <LinkButton variant="primary" href={signInPath(path, session ? "ended" : undefined)}>
            Sign in
          </LinkButton>
        )
      }
    />
  );
}
