/** When each event is sent. English is in `contract/event-types.ts`. */
const eventTypes: Readonly<Record<string, string>> = {
  "prediction.succeeded": "预测任务已结束，并有结果。",
  "prediction.failed": "预测任务因错误而结束。",
  "prediction.canceled": "预测任务已取消。",
  "batch.finished": "批次的所有行都已结束，或有人停止了其余的行。",
  "response.completed": "后台响应已完成。",
  "response.incomplete": "后台响应在完成之前结束。",
  "response.failed": "后台响应失败。",
  "response.cancelled": "后台响应已取消。",
  "outputs.expiring": "输出将在两小时内移除。在其中最早的输出移除前一小时发送，每人一个事件。",
  "attestation.withdrawn": "一项声明已撤回：该声明涵盖的成员和密钥不能再运行相应的模型。",
  "key.expiring": "密钥将在一周后过期；过期前一天会再次发送。",
  "member.joined": "有人加入了账户。",
  "copy.exhausted": "文件未能复制到目标存储：所有尝试都已失败，或再次尝试也不可能成功。",
  "endpoint.failing": "账户的另一个端点连续失败四次。",
  "endpoint.disabled": "另一个端点已停用：可能是有人手动停用、连续多日失败，或接收方要求停用。",
  "endpoint.recovered": "另一个失败或停用过的端点已恢复接收事件。",
  "delivery.exhausted": "发往另一个端点的投递最终失败：所有尝试都已失败，或内容在此之前已移除。",
  "budget.threshold": "以金额计的预算用到 50%、80% 或 100%。每个阈值在每个周期发送一个事件。",
  "endpoint.test": "有人向某个端点发送的测试事件。",
};

export default eventTypes;
