// Loaded into each program before its own code (--import): when the starter is gone, even by SIGKILL, it ends as well.
// The programs that it starts itself load this too, but their channel is their own: "next dev" waits at it for its options.
if (process.ppid === Number(process.env.STARTER_PID)) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
