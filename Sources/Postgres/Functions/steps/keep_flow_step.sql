-- Stores the new state of a step after a refused answer (charge_flow_answer). Returns false if another answer was
-- charged in between, or if the flow has moved on.
-- Locks: flows.
create or replace function keep_flow_step(p_flow uuid, p_revision integer, p_tries integer, p_state jsonb, p_sealed bytea) returns boolean
language plpgsql as $$
begin
    update flows f set state = p_state, sealed = p_sealed where f.id = p_flow and f.revision = p_revision and f.tries = p_tries;
    return found;
end $$;
