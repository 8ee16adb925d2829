-- Deletes buckets that have been full for `p_kept_seconds`. No index knows them, because every attempt changes its
-- buckets. Each call reads the next page of the primary key, at most four times `p_limit` buckets, and wraps around at
-- the end. Only one caller sweeps at a time; others do nothing. A bucket key has the size and order of a UUID, so
-- sweep_places can store it. Returns the number of deleted rows.
-- Locks: sweep_places (for update skip locked), throttles (for update skip locked). It waits for neither.
create or replace function sweep_throttles(p_limit integer, p_kept_seconds integer) returns integer language plpgsql as $$
declare
    nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
    page constant bigint := 4::bigint * p_limit;
    place uuid;
    looked bigint;
    last uuid;
    gone integer;
begin
    select p.after into place from sweep_places p where p.name = 'throttles' for update skip locked;
    if not found then
        return 0;
    end if;
    select count(*), max(encode(key.bucket, 'hex') collate "C")::uuid into looked, last
      from (select t.bucket from throttles t where t.bucket > uuid_send(place) order by t.bucket limit page) key;
    delete from throttles where ctid = any (array(
        select t.ctid from throttles t
         where t.bucket > uuid_send(place) and t.bucket <= uuid_send(last) and t.arrival < now() - make_interval(secs => p_kept_seconds)
           for update skip locked));
    get diagnostics gone = row_count;
    last := case when looked < page then nowhere else last end;
    update sweep_places p set after = last where p.name = 'throttles' and p.after <> last;
    return gone;
end $$;
