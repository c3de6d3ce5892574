import { Download, Sparkles } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isId } from "#contract/ids.ts";
import type { Shared, SharedFile } from "#contract/shares.ts";
import { MediaPreview } from "@/components/media/media-preview";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { ProvenanceFacts } from "@/components/provenance/provenance-facts";
import { ReportForm } from "@/components/shares/report-form";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { buttonLook } from "@/components/ui/looks";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { isAttestationCode } from "@/lib/attestations/gates";
import { formatBytes, formatDuration } from "@/lib/format";
import type { RouteProps } from "@/lib/page-props";
import { signInPath } from "@/lib/paths";
import { requestShared } from "@/lib/server/gateway/shared";
import { currentSession } from "@/lib/server/session";
import { sendReport } from "./actions.ts";

type Props = RouteProps<{ token: string }>;

/** The contents of a shared link, cached per request. */
const getShared = cache((token: string) => requestShared<Shared>(token));

/**
 * The preview in chats and mail programs. It never contains the prompt, and has a picture only when anybody
 * may see the picture.
 */
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

/** A shared output, for everybody with the link. */
export default async function SharedPage({ params, searchParams }: Props) {
  const { token } = await params;
  const shared = await getShared(token);
  if (shared.ok) {
    const { reported } = await searchParams;
    return (
      <SharedView shared={shared.data} token={token} reported={isId("report", reported) ? reported : null} />
    );
  }
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
          body="The model that made this output requires an attestation from the viewer. Give the attestation, then open the link again."
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
      title="Sign in to see this output"
      body={
        session?.kind === "key"
          ? "Only people can open this link, and you are signed in with an account key. Sign out, then sign in with your e-mail address."
          : "The model that made this output requires attestations, so only signed-in people who have given them can open the link."
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

const kinds: Record<string, string> = { image: "image", video: "video", audio: "sound" };

/** `Shared image`, or `Shared comparison` for several files. */
function sharedTitle(files: readonly Pick<SharedFile, "content_type">[]): string {
  if (files.length > 1) return "Shared comparison";
  return `Shared ${kinds[files[0]?.content_type.split("/")[0] ?? ""] ?? "file"}`;
}

interface SharedViewProps {
  shared: Shared;
  token: string;
  /** The id of the report that the visitor just sent; null: none. */
  reported: string | null;
}

function SharedView({ shared: { files, gated, expires_at: end }, token, reported }: SharedViewProps) {
  return (
    <>
      <PageHeader
        title={sharedTitle(files)}
        description={
          <>
            This link works until <Time value={end} mode="absolute" />.
          </>
        }
      />
      <div className={files.length > 1 ? "grid items-start gap-6 desktop:grid-cols-2" : undefined}>
        {files.map((file, index) => (
          <SharedFileView
            // biome-ignore lint/suspicious/noArrayIndexKey: the files of a link stay in their places
            key={index}
            file={file}
            // Files of gated models require a session, which the relay adds.
            url={file.url && gated ? `/api/gateway/shared/${token}/files/${index + 1}` : file.url}
          />
        ))}
      </div>
      <ReportForm
        send={sendReport.bind(null, token)}
        files={files.map(({ model_name: name }) => name)}
        path={`/public/shared/${token}`}
        reported={reported}
      />
    </>
  );
}

interface SharedFileViewProps {
  file: SharedFile;
  /** Null: the file was removed. */
  url: string | null;
}

/** One shared file: large, with its model, its origin and a download button. */
function SharedFileView({ file, url }: SharedFileViewProps) {
  return (
    <article className="min-w-0 space-y-3" aria-label={`Output of ${file.model_name}`}>
      {url ? (
        <MediaPreview file={{ ...file, url, preview_url: null }} title={`Output of ${file.model_name}`} />
      ) : (
        <p className="rounded-panel border border-dashed px-6 py-12 text-center text-muted">
          This file was removed.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono text-title font-semibold wrap-anywhere">{file.model_name}</h2>
        {file.sandbox && <SandboxBadge />}
        {file.ai_label && <Badge icon={<Sparkles size={12} aria-hidden />}>Made with AI</Badge>}
        {url && (
          <a href={url} download className={buttonLook("secondary", "md", "ml-auto")}>
            <Download size={16} aria-hidden />
            Download
          </a>
        )}
      </div>
      {file.prompt !== null && (
        <section>
          <h3 className="text-table font-medium">Prompt</h3>
          <p className="whitespace-pre-wrap wrap-anywhere">{file.prompt}</p>
        </section>
      )}
      <p className="text-table text-muted">
        {factsOf(file)} · made <Time value={file.created_at} mode="absolute" />
        {file.expires_at && (
          <>
            {" "}
            · the file will be removed <Time value={file.expires_at} mode="absolute" />
          </>
        )}
      </p>
      <section>
        <h3 className="mb-1 text-table font-medium">Where it comes from</h3>
        {file.ai_label && <p className="mb-2 text-table">{file.ai_label}</p>}
        <ProvenanceFacts provenance={file.provenance} />
      </section>
    </article>
  );
}

function factsOf(file: SharedFile): string {
  return [
    file.content_type,
    file.width && file.height ? `${file.width} × ${file.height}` : null,
    file.duration !== null ? formatDuration(file.duration * 1000) : null,
    formatBytes(file.size_bytes),
  ]
    .filter(Boolean)
    .join(" · ");
}
