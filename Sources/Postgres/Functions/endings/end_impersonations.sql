-- Ends the sessions in which an operator acts for other users, and notifies every server.
-- Locks: sessions (for no key update), *note_logout. Sessions by id. Nobody acts for an operator, so no other transaction
-- takes these locks in another order.
-- Invariant: an ended session stays ended.
create or replace function end_impersonations(p_actor uuid, p_reason text) returns void language plpgsql as $$
declare
    acting uuid;
begin
    for acting in select id from sessions where actor_id = p_actor and ended_at is null order by id for no key update loop
        update sessions set ended_at = now(), end_reason = p_reason where id = acting;
        perform pg_notify('gateway_sessions', 'session:' || acting);
    end loop;
end $$;
