-- Whether a sign-in comes from a known device of its account. THE RULE: the device presents a mark of the account (a known
-- or remembered device) or a live session of it, or an earlier session of the account had the same device name, the same
-- user agent except for digits, points and underscores (an update is no new device), and the same network. What is absent
-- now must have been absent then. Without name and user agent only the network would be compared, so an earlier session of
-- the same app without both counts on any network: such an app must not cause a notice at each sign-in. Disowned sessions
-- don't count, nor do those of an operator who acted for the user. The plan is kept: otherwise each sign-in would plan the
-- query again.
-- Locks: none
create or replace function knows_device(p_account uuid, p session_request) returns boolean language plpgsql stable
set plan_cache_mode = force_generic_plan as $$
declare
    -- Of IPv6 alone: an IPv4 address is its own network, and comparing texts is cheaper.
    network text := case when p.address like '%:%' then network_of(p.address) end;
begin
    -- Marks of this transaction are its result and prove nothing.
    if p.presented_mark is not null
       and (exists (select from known_devices d where d.account_id = p_account and d.digest = p.presented_mark
                       and d.expires_at > now() and d.issued_at < now())
            or exists (select from remembered_devices d where d.account_id = p_account and d.digest = p.presented_mark
                          and d.expires_at > now() and d.added_at < now()))
    then
        return true;
    end if;
    -- A session that ends in this transaction is replaced by the new one.
    if p.presented_session is not null
       and exists (select from sessions s where s.id = p.presented_session and s.account_id = p_account and s.expires_at > now()
                      and s.actor_id is null
                      and (s.ended_at is null or s.ended_at = now()))
    then
        return true;
    end if;
    return exists (select from sessions s where s.account_id = p_account and s.id <> p.id and s.end_reason is distinct from 'disowned'
                      and s.actor_id is null
                      and s.device_name is not distinct from p.device_name
                      and (s.user_agent is not distinct from p.user_agent
                           or translate(s.user_agent, '0123456789._', '') = translate(p.user_agent, '0123456789._', ''))
                      and (s.address = p.address or p.user_agent is null and p.device_name is null and s.client_id = p.client_id
                           or network is not null and s.address like '%:%' and network_of(s.address) = network));
end $$;
