-- Sets the acting operator of this transaction; see audit_events.
-- Locks: none
create or replace function act_as(p_actor uuid, p_words text) returns void language plpgsql as $$
begin
    perform set_config('gateway.actor', coalesce(p_actor::text, ''), true), set_config('gateway.words', coalesce(p_words, ''), true);
end $$;
