import type { SigningCertificate, SigningStatus, SigningTrial } from "#contract/operator/signing.ts";
import { page, titleOf } from "@/app/console-page";
import { ReceiptKeys } from "@/components/operator/receipt-keys";
import { Facts } from "@/components/ui/facts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";

const head = { title: "signing" } as const;

export const generateMetadata = titleOf(head);

const trials: Record<Exclude<SigningTrial, "signed">, string> = {
  library_missing:
    "This gateway is installed without the package @contentauth/c2pa-wasm. Install it (npm ci without --omit=optional) and start the gateway again.",
  expired: "The certificate has expired. Put a new certificate into its file; the gateway reads it at once.",
  failed: "The library does not sign with this certificate.",
  timeout: "The test signature took too long. Reload the page.",
  busy: "Too many files are waiting to be signed. Reload the page later.",
};

/** Whether outputs are signed, with which certificate, and who will trust the signatures. */
export default page(
  { ...head, description: "Signed Content Credentials (C2PA) in outputs made by models." },
  async ({ requestRoute }) => {
    const [signing, receiptKeys] = await Promise.all([
      requestRoute("GET /operator/signing"),
      requestRoute("GET /operator/receipt_keys"),
    ]);
    return (
      <>
        {signing.ok ? <Signing signing={signing.data} /> : <LoadFailure error={signing.error} />}
        {receiptKeys.ok ? (
          <ReceiptKeys initial={receiptKeys.data} />
        ) : (
          <LoadFailure error={receiptKeys.error} />
        )}
        <Worth />
      </>
    );
  },
);

function Signing({ signing }: { signing: SigningStatus }) {
  const { certificate, problem, trial, trial_error: error } = signing;
  if (!certificate)
    return (
      <EmptyState
        drawing="gate"
        title="Outputs are not signed"
        body="Set C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE in the environment of the gateway and start it again. Signatures of providers stay in the files either way."
        className="mb-8"
      />
    );
  return (
    <>
      {problem && (
        <Alert>
          The files were changed and cannot be used. The previous certificate still signs. {problem}
        </Alert>
      )}
      {trial !== null && trial !== "signed" && (
        <Alert>
          Outputs are stored unsigned now. {trials[trial]} {error}
        </Alert>
      )}
      {expiresSoon(certificate) && (
        <Alert>
          The certificate expires on <Time value={certificate.expires_at} mode="absolute" />. From then on
          outputs are stored unsigned.
        </Alert>
      )}
      <Section title="Certificate">
        <Facts
          facts={[
            ["Test signature", trial === "signed" ? "made and verified just now" : "failed"],
            ["Signs as", certificate.subject],
            ["Issued by", certificate.issuer],
            ["Valid from", <Time key="from" value={certificate.valid_from} mode="absolute" />],
            ["Expires", <Time key="until" value={certificate.expires_at} mode="absolute" />],
            ["Algorithm", <code key="algorithm">{certificate.algorithm}</code>],
            ["Signed", signing.content_types.join(", ")],
          ]}
        />
      </Section>
    </>
  );
}

/** The same lead time as that of the notice to operators. */
const soonMs = 30 * 86_400_000;

function expiresSoon({ expires_at }: SigningCertificate): boolean {
  return new Date(expires_at).getTime() - Date.now() < soonMs;
}

function Alert({ children }: { children: React.ReactNode }) {
  return (
    <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 wrap-anywhere text-ink">
      {children}
    </p>
  );
}

function Worth() {
  return (
    <Section title="What this is, and what it is not">
      <ul className="max-w-[80ch] list-disc space-y-1 pl-5 text-table text-muted">
        <li>
          The signed note states that a generative model made the file, which model, and when. It lists the
          hashes of the input files. It contains no prompt and no name of an account or person. Notes on
          outputs of the sandbox state that no model ran.
        </li>
        <li>
          A file that is already signed is never changed. Other types and files over 100 MB stay unsigned.
        </li>
        <li>
          Metadata can be lost: saving a file again or sending it through most services removes it. A file
          without a note may still come from a model. There is no watermark.
        </li>
        <li>
          Each viewer app decides which certificates it trusts. A certificate of a private authority is valid,
          but shown as not trusted.
        </li>
        <li>
          The notes have no time stamp of an authority, so they are valid only as long as the certificate.
        </li>
        <li>You must judge whether this satisfies the law.</li>
      </ul>
    </Section>
  );
}
