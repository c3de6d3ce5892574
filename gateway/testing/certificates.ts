import { writeFileSync } from "node:fs";
import path from "node:path";
import { generate } from "selfsigned";

/** Machines whose clock is behind must trust the certificates too. */
const validFromMs = -3_600_000;

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** The file for WEBHOOK_CA_FILE. */
  caFile: string;
  /** A certificate that this authority signed for 127.0.0.1, ::1 and localhost. */
  local: Certificate;
  /** Signs a certificate for other names or addresses, or one for another time. */
  issue(names: string[], valid?: { from?: Date; until?: Date }): Promise<Certificate>;
}

/** Makes a certificate authority. Only programs that are given its file trust it. */
export async function makeAuthority(folder: string): Promise<Authority> {
  const notBeforeDate = new Date(Date.now() + validFromMs);
  const ca = await generate([{ name: "commonName", value: "Gatehouse test authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const caFile = path.join(folder, "authority.pem");
  writeFileSync(caFile, ca.cert);
  const issue: Authority["issue"] = async (names, { from = notBeforeDate, until } = {}) => {
    const altNames = names.map((name) =>
      /^[\d.]+$|:/.test(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
    );
    const made = await generate([{ name: "commonName", value: names[0] ?? "localhost" }], {
      keyType: "ec",
      algorithm: "sha256",
      notBeforeDate: from,
      ...(until && { notAfterDate: until }),
      ca: { key: ca.private, cert: ca.cert },
      extensions: [
        { name: "basicConstraints", cA: false },
        { name: "extKeyUsage", serverAuth: true },
        { name: "subjectAltName", altNames },
      ],
    });
    return { key: made.private, cert: made.cert };
  };
  return { caFile, local: await issue(["localhost", "127.0.0.1", "::1"]), issue };
}
