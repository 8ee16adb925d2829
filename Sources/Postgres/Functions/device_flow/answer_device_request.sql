-- Records a user's answer to the request of a device: allowed with the sealed handover code of its session, declined without one.
-- Returns false for a request that was answered or has expired.
-- Locks: device_requests.
-- Invariant: a single-use value is used once.
create or replace function answer_device_request(
    p_id uuid, p_sealed bytea, p_account uuid, p_session uuid, p_address text, p_request text) returns boolean language plpgsql as $$
declare
    asked device_requests;
begin
    update device_requests set state = case when p_sealed is null then 'declined' else 'allowed' end, sealed_code = p_sealed
     where id = p_id and state = 'pending' and expires_at > now()
    returning * into asked;
    if not found then
        return false;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('device_answered', 'done', asked.state, p_account, p_session, asked.client_id, p_address, p_request,
            jsonb_build_object('device_request', p_id, 'device_address', asked.address));
    return true;
end $$;
