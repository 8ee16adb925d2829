-- Deletes registrations that are older than a day and that no user granted anything to, at most `p_limit`. One that an operator
-- disabled stays, so that it can be enabled again.
-- Locks: clients (for update skip locked).
create or replace function sweep_registrations(p_limit integer) returns integer language plpgsql as $$
declare
    gone integer;
begin
    delete from clients where id = any (array(
        select c.id from clients c
         where c.origin = 'registration' and c.created_at < now() - interval '1 day' and (c.disabled_at is null or c.withdrawn)
           and not exists (select from app_grants g where g.client_id = c.id) limit p_limit for update skip locked));
    get diagnostics gone = row_count;
    return gone;
end $$;
