-- Deletes sessions `p_kept_seconds` after their expiry, so that a late replay is still recognised. No index knows the
-- expiry. Each call reads the next page of the primary key, at most four times `p_limit` sessions, and wraps around at
-- the end. Only one caller sweeps at a time; others do nothing. Returns the number of deleted rows.
-- Locks: sweep_places (for update skip locked), sessions (for update skip locked). It waits for neither.
create or replace function sweep_sessions(p_limit integer, p_kept_seconds integer) returns integer language plpgsql as $$
declare
    nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
    page constant bigint := 4::bigint * p_limit;
    place uuid;
    looked bigint;
    last uuid;
    gone integer;
begin
    select p.after into place from sweep_places p where p.name = 'sessions' for update skip locked;
    if not found then
        return 0;
    end if;
    select count(*), max(key.id::text collate "C")::uuid into looked, last
      from (select s.id from sessions s where s.id > place order by s.id limit page) key;
    delete from sessions where ctid = any (array(
        select s.ctid from sessions s
         where s.id > place and s.id <= last and s.expires_at < now() - make_interval(secs => p_kept_seconds) for update skip locked));
    get diagnostics gone = row_count;
    last := case when looked < page then nowhere else last end;
    update sweep_places p set after = last where p.name = 'sessions' and p.after <> last;
    return gone;
end $$;
