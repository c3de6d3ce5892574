import { settings } from "../../gateway/platform/core/settings.ts";

const readByConsole = Object.entries(settings)
  .filter(([, { console: isRead }]) => isRead)
  .map(([name]) => name);

/** Variables that the operating system, Node and the network settings need. */
const system = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|TERM|HOSTNAME|LD_LIBRARY_PATH)$/,
  /^LC_[A-Z]+$/,
  /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|NODE_USE_ENV_PROXY|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  /^(https?|no|all)_proxy$/i,
  /^CONSOLE_PSEUDO_LANGUAGE$/, // Of the browser tests.
  /^(SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMDATA)$/i,
];

/**
 * The whole environment of the console's process. It is an allow list, because credentials of upstreams have
 * any names that PROVIDERS_FILE gives them.
 */
export function consoleEnvironment(environment) {
  const kept = Object.entries(environment).filter(
    ([name]) => readByConsole.includes(name) || system.some((pattern) => pattern.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    NEXT_TELEMETRY_DISABLED: "1",
    // Otherwise Next would read the whole .env itself.
    __NEXT_PROCESSED_ENV: "true",
  };
}
