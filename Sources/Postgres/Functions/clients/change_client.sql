-- Changes a client; members missing in `p_change` stay unchanged. Returns null, or the refusal. A client for
-- administration can't offer sign-up, take guests, speak a dialect or keep refresh tokens. The last enabled one can't be disabled,
-- because no operator could then sign in to enable it. The command line is exempt, because it can restore access. Disabling an
-- agent also voids what users granted to it and what it asked for.
-- Locks: *client_refusal, advisory resources, advisory administration clients, clients, app_grants, authorization_requests, device_requests, *set_client_claims.
-- Outcomes: cognito_client_taken, native_application_taken, resource_taken, dialect_not_allowed, sign_up_names_not_allowed, guests_not_allowed, relaxed_rotation_not_allowed, last_administration_client, null, *client_refusal
create or replace function change_client(p_client text, p_change jsonb, p_actor uuid) returns text language plpgsql as $$
declare
    refused text := client_refusal(p_actor, p_client);
    held clients;
    administers boolean;
begin
    if refused is not null then
        return refused;
    end if;
    select * into held from clients where id = p_client;
    administers := case when p_change ? 'audiences' then p_change->'audiences' ? 'administration'
                        else 'administration' = any (held.audiences) end;
    if administers and p_change->'dialects' <> '{}' then
        return 'dialect_not_allowed';
    end if;
    -- The unique index decides between two changes at once.
    if exists (select from clients where id <> p_client and dialects->'cognito'->>'client_id' = p_change->'dialects'->'cognito'->>'client_id') then
        return 'cognito_client_taken';
    end if;
    if exists (select from clients where id <> p_client and dialects->'native_auth'->>'application_id' = p_change->'dialects'->'native_auth'->>'application_id') then
        return 'native_application_taken';
    end if;
    if jsonb_array_length(coalesce(p_change->'openid'->'resources', '[]')) > 0 then
        perform pg_advisory_xact_lock(hashtextextended('resources', 4));   -- else two clients could take one at once
        if exists (select from clients c, jsonb_array_elements(c.openid->'resources') other, jsonb_array_elements(p_change->'openid'->'resources') asked
                    where c.id <> p_client and lower(rtrim(other->>'identifier', '/')) = lower(rtrim(asked->>'identifier', '/'))) then
            return 'resource_taken';
        end if;
    end if;
    if administers and p_change ? 'sign_up_names' then
        return 'sign_up_names_not_allowed';
    end if;
    if administers and (p_change->>'guests')::boolean then
        return 'guests_not_allowed';
    end if;
    if administers and p_change->>'refresh_rotation' = 'relaxed' then
        return 'relaxed_rotation_not_allowed';
    end if;
    if p_actor is not null and held.disabled_at is null and 'administration' = any (held.audiences)
       and (not administers or coalesce((p_change->>'disabled')::boolean, false)) then
        perform pg_advisory_xact_lock(hashtextextended('administration clients', 4));   -- else two could be disabled at once
        if not exists (select from clients where id <> p_client and disabled_at is null and 'administration' = any (audiences)) then
            return 'last_administration_client';
        end if;
    end if;
    update clients c set
        name = coalesce(p_change->>'name', c.name), type = coalesce(p_change->>'type', c.type),
        attributes = coalesce(p_change->'attributes', c.attributes),
        brand = case when p_change ? 'brand' then nullif(p_change->'brand', 'null') else c.brand end,
        bot_check = coalesce(p_change->>'bot_check', c.bot_check),
        dialects = case when administers then '{}' else coalesce(p_change->'dialects', c.dialects) end,
        openid = coalesce(p_change->'openid', c.openid),
        accepted_audiences = coalesce(p_change->'accepted_audiences', c.accepted_audiences),
        linking_policy = coalesce(p_change->>'linking_policy', c.linking_policy),
        mfa = coalesce(p_change->>'mfa', c.mfa), custom_challenge = coalesce((p_change->>'custom_challenge')::boolean, c.custom_challenge),
        foreign_nonces = coalesce((p_change->>'foreign_nonces')::boolean, c.foreign_nonces),
        origins = case when p_change ? 'origins' then array(select jsonb_array_elements_text(p_change->'origins')) else c.origins end,
        redirect_uris = case when p_change ? 'redirect_uris' then array(select jsonb_array_elements_text(p_change->'redirect_uris')) else c.redirect_uris end,
        providers = case when p_change ? 'providers' then array(select jsonb_array_elements_text(p_change->'providers')) else c.providers end,
        guests = not administers and coalesce((p_change->>'guests')::boolean, c.guests),
        sign_up_names = case when administers then '{}'
                             when p_change ? 'sign_up_names' then array(select jsonb_array_elements_text(p_change->'sign_up_names'))
                             else c.sign_up_names end,
        audiences = case when p_change ? 'audiences' then array(select jsonb_array_elements_text(p_change->'audiences')) else c.audiences end,
        access_token_seconds = coalesce((p_change->>'access_token_seconds')::integer, c.access_token_seconds),
        refresh_idle_seconds = coalesce((p_change->>'refresh_idle_seconds')::integer, c.refresh_idle_seconds),
        refresh_max_seconds = coalesce((p_change->>'refresh_max_seconds')::integer, c.refresh_max_seconds),
        refresh_rotation = case when administers then 'always' else coalesce(p_change->>'refresh_rotation', c.refresh_rotation) end,
        disabled_at = case when not p_change ? 'disabled' then c.disabled_at
                           when (p_change->>'disabled')::boolean then coalesce(c.disabled_at, now()) end,
        withdrawn = c.withdrawn and not p_change ? 'disabled'
     where c.id = p_client;
    if (p_change->>'disabled')::boolean and held.origin <> 'operator' then
        delete from app_grants where client_id = p_client;
        delete from authorization_requests where client_id = p_client;
        delete from device_requests where client_id = p_client;
    end if;
    if p_change ? 'claims' then
        perform set_client_claims(p_client, p_change->'claims');
    end if;
    return null;
end $$;
