import type { Shared } from "#contract/shares.ts";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { sharedTitle } from "@/lib/shares/shared-title";
import { SharedFileView } from "./shared-file-view.tsx";

interface SharedViewProps {
  shared: Shared;
  token: string;
}

/** What somebody sees who opens a link. */
export function SharedView({ shared: { files, gated, expires_at: end }, token }: SharedViewProps) {
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
            // The relay adds the session, which files of gated models ask for.
            url={file.url && gated ? `/api/gateway/shared/${token}/files/${index + 1}` : file.url}
          />
        ))}
      </div>
    </>
  );
}
