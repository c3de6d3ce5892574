// Loaded into each program before its own code (--import): ends the program when the starter has gone, even
// by SIGKILL. Programs started by the program load this too, but on their own channel: "next dev" waits at it
// for its options.
if (process.ppid === Number(process.env.STARTER_PID)) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
