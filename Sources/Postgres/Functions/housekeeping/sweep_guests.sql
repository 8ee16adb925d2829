-- Makes the deletion of guests due that no session used for `p_days`: sweep_deletions then erases them. Each call reads
-- the next page of guests, at most four times `p_limit`, and wraps around at the end. Only one caller sweeps at a time;
-- others do nothing. Returns the number of guests that are due now.
-- Locks: sweep_places (for update skip locked), accounts (for update skip locked). It waits for neither.
create or replace function sweep_guests(p_limit integer, p_days integer, p_request text) returns integer language plpgsql as $$
declare
    nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
    page constant bigint := 4::bigint * p_limit;
    unused_since constant timestamptz := now() - make_interval(days => p_days);
    place uuid;
    looked bigint;
    last uuid;
    due integer;
begin
    select p.after into place from sweep_places p where p.name = 'guests' for update skip locked;
    if not found then
        return 0;
    end if;
    select count(*), max(key.id::text collate "C")::uuid into looked, last
      from (select a.id from accounts a where a.guest and a.id > place order by a.id limit page) key;
    with unused as (
        select a.id from accounts a
         where a.guest and a.id > place and a.id <= last and a.created_at < unused_since
           and a.merged_into is null and a.deletion_due_at is null
           and not exists (select from sessions s where s.account_id = a.id and s.rotated_at >= unused_since)
           and not exists (select from operators o where o.account_id = a.id)
           for update of a skip locked
    ), marked as (
        update accounts a set deletion_requested_at = now(), deletion_due_at = now() from unused u where a.id = u.id returning a.id
    )
    insert into audit_inbox (action, outcome, reason, account_id, request_id)
    select 'deletion_requested', 'done', 'guest_unused', m.id, p_request from marked m;
    get diagnostics due = row_count;
    last := case when looked < page then nowhere else last end;
    update sweep_places p set after = last where p.name = 'guests' and p.after <> last;
    return due;
end $$;
