-- Stores the provider's answer: another step, or the same with a new state. Returns false if a concurrent answer was
-- faster.
-- Locks: flows.
create or replace function keep_provider_flow(p_flow uuid, p_revision integer, p_state jsonb, p_is_next boolean, p_seconds integer) returns boolean
language plpgsql as $$
begin
    update flows f
       set state = p_state, revision = f.revision + 1, tries = case when p_is_next then 0 else f.tries end,
           expires_at = case when p_is_next then now() + make_interval(secs => p_seconds) else f.expires_at end
     where f.id = p_flow and f.kind = 'provider' and f.revision = p_revision;
    return found;
end $$;
