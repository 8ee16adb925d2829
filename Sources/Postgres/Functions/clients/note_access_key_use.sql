-- Notes the use of an access key, to the minute.
-- Locks: access_key_uses.
create or replace function note_access_key_use(p_key text) returns void language plpgsql as $$
begin
    insert into access_key_uses (key_id, used_at) values (p_key, now())
    on conflict (key_id) do update set used_at = excluded.used_at where access_key_uses.used_at < now() - interval '1 minute';
end $$;
