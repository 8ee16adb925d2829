-- Deletes expired flows. A sign-up stays as long again as it was pending: see is_contested_sign_up. No index knows the
-- expiry, because every step changes it. Each call reads the next page of the primary key, at most four times `p_limit`
-- flows, and wraps around at the end. Only one caller sweeps at a time; others do nothing. Returns the number of deleted
-- rows.
-- Locks: sweep_places (for update skip locked), flows (for update skip locked). It waits for neither.
create or replace function sweep_flows(p_limit integer) returns integer language plpgsql as $$
declare
    nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
    page constant bigint := 4::bigint * p_limit;
    place uuid;
    looked bigint;
    last uuid;
    gone integer;
begin
    select p.after into place from sweep_places p where p.name = 'flows' for update skip locked;
    if not found then
        return 0;
    end if;
    select count(*), max(key.id::text collate "C")::uuid into looked, last
      from (select f.id from flows f where f.id > place order by f.id limit page) key;
    delete from flows where ctid = any (array(
        select f.ctid from flows f
         where f.id > place and f.id <= last
           and case f.kind when 'sign_up' then f.expires_at + (f.expires_at - f.created_at) else f.expires_at end < now()
           for update skip locked));
    get diagnostics gone = row_count;
    last := case when looked < page then nowhere else last end;
    update sweep_places p set after = last where p.name = 'flows' and p.after <> last;
    return gone;
end $$;
