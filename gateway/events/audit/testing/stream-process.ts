import { readFileSync } from "node:fs";
import { pino } from "pino";
import { connect } from "#gateway/platform/database/open.ts";
import { startAuditStream } from "../stream.ts";

/**
 * The audit stream in its own process, so that a test can kill it. Its only argument is the path of a settings
 * file.
 */
const { config, connection } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const log = pino({ level: "silent" });
startAuditStream({ config, log, database: await connect(connection, log) });
process.send?.("ready");
