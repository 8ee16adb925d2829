-- Notes that an agent got tokens, to the minute: most calls write nothing, and none waits for another. The client of an operator has
-- no such row.
-- Locks: agents (for update skip locked).
create or replace function note_agent_use(p_client text) returns void language plpgsql as $$
begin
    update agents set used_at = now()
     where client_id = (select a.client_id from agents a
                         where a.client_id = p_client and (a.used_at is null or a.used_at < now() - interval '1 minute')
                           for update skip locked);
end $$;
