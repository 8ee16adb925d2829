-- Ends the sessions of one page that began before a time, of one client or all. A page is the next `p_limit` ids after
-- `p_after` (null: from the first). Returns the last id of the page, or null at the end, and the number of ended
-- sessions. Writes an audit row. Every server drops its cached sessions.
-- Locks: sessions (for no key update), *note_logout. By id.
-- Invariant: an ended session stays ended.
create or replace function revoke_sessions_batch(
    p_before timestamptz, p_client text, p_reason text, p_request text, p_after uuid, p_limit integer,
    out next uuid, out ended integer)
language plpgsql as $$
declare
    behind uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
begin
    ended := 0;
    -- The page bounds first, then its sessions: both scan the primary key, whatever the statistics.
    select page.id into next
      from (select s.id from sessions s where s.id > behind order by s.id limit p_limit) page
     order by page.id desc limit 1;
    if next is null then
        return;
    end if;
    perform 1 from sessions s
      where s.id > behind and s.id <= next and s.created_at < p_before and s.ended_at is null
        and (p_client is null or s.client_id = p_client)
      order by s.id for no key update;
    update sessions s set ended_at = now(), end_reason = 'revoked_by_operator'
     where s.id > behind and s.id <= next and s.created_at < p_before and s.ended_at is null
       and (p_client is null or s.client_id = p_client);
    get diagnostics ended = row_count;
    if ended > 0 then
        insert into audit_inbox (action, outcome, reason, client_id, request_id, detail)
        values ('sessions_revoked', 'done', p_reason, p_client, p_request,
                jsonb_build_object('issued_before', p_before, 'sessions', ended));
        perform pg_notify('gateway_sessions', 'all');
    end if;
end $$;
