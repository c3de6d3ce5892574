// Sends orders until its input ends, prints a line when the first was accepted, then the accepted ids:
// node cluster-load-process.ts URL BEARER
import { startLoad } from "./load.ts";

const [url = "", bearer = ""] = process.argv.slice(2);
const load = startLoad({ urls: [url], bearer, clients: 2, pauseMs: 300, patienceMs: 5_000 });
const begun = setInterval(() => {
  if (load.accepted.size === 0) return;
  clearInterval(begun);
  console.log("begun");
}, 50);
process.stdin.resume().on("end", async () => {
  await load.stop();
  console.log(JSON.stringify([...load.accepted]));
  process.exit(0);
});
