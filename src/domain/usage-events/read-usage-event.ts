/** For `page`: the position of an event by its id and pricing model. */
export const usageEventPositionSql = `select e.position from usage_event_key k join usage_event e
  on e.created_at = k.created_at and e.position = k.position and e.id = k.id and e.recorded_at = k.recorded_at
  where k.id = ? and e.pricing_model_id = ?`;
