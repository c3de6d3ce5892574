import { Download, Sparkles } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isId } from "#contract/ids.ts";
import type { Shared, SharedFile } from "#contract/shares.ts";
import { useWords } from "#words";
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
import { words } from "@/lib/server/words";
import { listText } from "@/lib/words/list-text";
import type { Language } from "@/messages/languages";
import type { Words } from "@/messages/words";
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
  const t = await words("publicPages");
  if (!shared.ok) return { ...common, title: t("sharedLink") };
  const { files, gated } = shared.data;
  const title = sharedTitle(files, t);
  const description = t("madeWith", {
    models: listText(t.language, [...new Set(files.map(({ model_name: name }) => name))], "plain"),
  });
  const picture = files.find(({ url, content_type: type }) => url && type.startsWith("image/"))?.url;
  const images = picture && !gated ? [picture] : [];
  return { ...common, title, description, openGraph: { title, description, images } };
}

/** A shared output, for everybody with the link. */
export default async function SharedPage({ params, searchParams }: Props) {
  const t = await words("publicPages");
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
      <PageHeader title={t("sharedLink")} />
      {code === "user_session_required" ? (
        <SignInFirst token={token} />
      ) : isAttestationCode(code) ? (
        <EmptyState
          drawing="gate"
          title={t("attestFirst")}
          body={t("theModelThatMadeThis")}
          action={<LinkButton href="/attestations">{t("openAttestations")}</LinkButton>}
        />
      ) : (
        <LoadFailure error={shared.error} />
      )}
    </>
  );
}

async function SignInFirst({ token }: { token: string }) {
  const t = await words("publicPages");
  const session = await currentSession();
  const path = `/public/shared/${token}`;
  return (
    <EmptyState
      drawing="gate"
      title={t("signInToSeeThis")}
      body={session?.kind === "key" ? t("onlyPeopleCanOpen") : t("onlySignedInPeople")}
      action={
        session?.kind !== "key" && (
          <LinkButton variant="primary" href={signInPath(path, session ? "ended" : undefined)}>
            {t("signIn")}
          </LinkButton>
        )
      }
    />
  );
}

/** `Shared image`, or `Shared comparison` for several files. */
function sharedTitle(files: readonly Pick<SharedFile, "content_type">[], t: Words<"publicPages">): string {
  if (files.length > 1) return t("sharedComparison");
  return t("sharedKind", { kind: files[0]?.content_type.split("/")[0] ?? "" });
}

interface SharedViewProps {
  shared: Shared;
  token: string;
  /** The id of the report that the visitor just sent; null: none. */
  reported: string | null;
}

function SharedView({ shared: { files, gated, expires_at: end }, token, reported }: SharedViewProps) {
  const t = useWords("publicPages");
  return (
    <>
      <PageHeader
        title={sharedTitle(files, t)}
        description={
          <>
            {t.rich(
              "thisLinkWorksUntil",
              {},
              { time: () => <Time key="time" value={end} mode="absolute" /> },
            )}
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
async function SharedFileView({ file, url }: SharedFileViewProps) {
  const t = await words("publicPages");
  return (
    <article className="min-w-0 space-y-3" aria-label={t("outputOfModel", { model: file.model_name })}>
      {url ? (
        <MediaPreview
          file={{ ...file, url, preview_url: null }}
          title={t("outputOfModel", { model: file.model_name })}
        />
      ) : (
        <p className="rounded-panel border border-dashed px-6 py-12 text-center text-muted">
          {t("thisFileWasRemoved")}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono text-title font-semibold wrap-anywhere">{file.model_name}</h2>
        {file.sandbox && <SandboxBadge />}
        {file.ai_label && <Badge icon={<Sparkles size={12} aria-hidden />}>{t("madeWithAi")}</Badge>}
        {url && (
          <a href={url} download className={buttonLook("secondary", "md", "ml-auto")}>
            <Download size={16} aria-hidden />
            {t("download")}
          </a>
        )}
      </div>
      {file.prompt !== null && (
        <section>
          <h3 className="text-table font-medium">{t("prompt")}</h3>
          <p className="whitespace-pre-wrap wrap-anywhere">{file.prompt}</p>
        </section>
      )}
      <p className="text-table text-muted">
        {factsOf(file, t.language)} ·{" "}
        {t.rich("made", {}, { time: () => <Time key="time" value={file.created_at} mode="absolute" /> })}
        {file.expires_at && (
          <>
            {" "}
            ·{" "}
            {t.rich(
              "theFileWillBeRemoved",
              {},
              { time: () => <Time key="time" value={file.expires_at ?? ""} mode="absolute" /> },
            )}
          </>
        )}
      </p>
      <section>
        <h3 className="mb-1 text-table font-medium">{t("whereItComesFrom")}</h3>
        {file.ai_label && <p className="mb-2 text-table">{file.ai_label}</p>}
        <ProvenanceFacts provenance={file.provenance} />
      </section>
    </article>
  );
}

function factsOf(file: SharedFile, language: Language): string {
  return [
    file.content_type,
    file.width && file.height ? `${file.width} × ${file.height}` : null,
    file.duration !== null ? formatDuration(file.duration * 1000, language) : null,
    formatBytes(file.size_bytes),
  ]
    .filter(Boolean)
    .join(" · ");
}
